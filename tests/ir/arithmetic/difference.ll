; The error of a difference is TwoSum's with a sign; its residues are subtracted.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @difference(
; CHECK: %z = fsub double %x, %y
; CHECK-NEXT: [[PART:%[0-9]+]] = fsub double %x, %z
; CHECK-NEXT: [[REST:%[0-9]+]] = fadd double %z, [[PART]]
; CHECK-NEXT: [[A:%[0-9]+]] = fsub double %x, [[REST]]
; CHECK-NEXT: [[B:%[0-9]+]] = fsub double %y, [[PART]]
; CHECK-NEXT: [[MU:%[0-9]+]] = fsub double [[A]], [[B]]
; CHECK-NEXT: [[E:%[0-9]+]] = fadd double [[MU]], {{%[0-9]+}}
; CHECK-NEXT: fsub double [[E]], {{%[0-9]+}}
define double @difference(double %x, double %y) {
  %z = fsub double %x, %y
  ret double %z
}
