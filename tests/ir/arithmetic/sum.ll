; TwoSum: three differences of the sum and its operands, then the operands' residues.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @sum(
; CHECK: %z = fadd double %x, %y
; CHECK-NEXT: [[PART:%[0-9]+]] = fsub double %z, %x
; CHECK-NEXT: [[REST:%[0-9]+]] = fsub double %z, [[PART]]
; CHECK-NEXT: [[A:%[0-9]+]] = fsub double %x, [[REST]]
; CHECK-NEXT: [[B:%[0-9]+]] = fsub double %y, [[PART]]
; CHECK-NEXT: [[MU:%[0-9]+]] = fadd double [[A]], [[B]]
; CHECK-NEXT: [[E:%[0-9]+]] = fadd double [[MU]], [[EX:%[0-9]+]]
; CHECK-NEXT: fadd double [[E]], [[EY:%[0-9]+]]
define double @sum(double %x, double %y) {
  %z = fadd double %x, %y
  ret double %z
}

; Shadow arithmetic has no fast-math flags, whatever the program's has.
; CHECK-LABEL: define double @fast(
; CHECK: %z = fadd reassoc nnan ninf nsz arcp afn double %x, %y
; CHECK-NOT: {{fadd|fsub}} {{reassoc|nnan|fast}}
; CHECK: ret double %z
define double @fast(double %x, double %y) {
  %z = fadd fast double %x, %y
  ret double %z
}
