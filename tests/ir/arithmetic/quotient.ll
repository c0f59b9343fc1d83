; The remainder over the ideal divisor, 0 where that is no number.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @quotient(
; CHECK: %z = fdiv double %x, %y
; CHECK-NEXT: [[NEG:%[0-9]+]] = fneg double %z
; CHECK-NEXT: [[REST:%[0-9]+]] = call double @llvm.fma.f64(double [[NEG]], double %y, double %x)
; CHECK: [[IDEAL:%[0-9]+]] = fadd double %y,
; CHECK: [[E:%[0-9]+]] = fdiv double {{%[0-9]+}}, [[IDEAL]]
; CHECK: select i1 {{%[0-9]+}}, double [[E]], double 0.000000e+00
define double @quotient(double %x, double %y) {
  %z = fdiv double %x, %y
  ret double %z
}

; CHECK-LABEL: define float @float(
; CHECK: %z = fdiv float %x, %y
; CHECK-NEXT: [[IDEAL:%[0-9]+]] = fdiv double
; CHECK: [[RESTART:%[0-9]+]] = fpext float %z to double
; CHECK: select i1 {{%[0-9]+}}, double [[IDEAL]], double [[RESTART]]
define float @float(float %x, float %y) {
  %z = fdiv float %x, %y
  ret float %z
}
