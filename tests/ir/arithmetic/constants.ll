; Constants, undef and poison are exact; what they make may be folded by the builder.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @stores(
; CHECK: store double 0.000000e+00, ptr {{.*}}
; CHECK-NOT: [[COPY]]
; CHECK: ret void
define void @stores(ptr %p) {
  store double 1.5, ptr %p
  store volatile float undef, ptr %p
  store volatile <4 x double> <double 1.0, double undef, double poison, double 4.0>, ptr %p
  store volatile half poison, ptr %p
  store volatile {double, [2 x float]} zeroinitializer, ptr %p
  store volatile {double, [2 x float]} {double 1.0, [2 x float] [float 1.0, float 2.0]}, ptr %p
  ret void
}

; CHECK-LABEL: define double @folded(
define double @folded(double %x) {
  %a = fadd double 1.0, 0x3FB999999999999A
  %b = fmul double %a, undef
  %c = fsub double poison, %x
  %d = fdiv double %x, 0.0
  %e = fadd double %b, %c
  %f = fadd double %e, %d
  %g = fdiv double 1.0, 3.0
  %h = fadd double %f, %g
  ret double %h
}

; CHECK-LABEL: define <2 x float> @vectors(
define <2 x float> @vectors(<2 x float> %x) {
  %a = fadd <2 x float> <float 1.0, float undef>, %x
  %b = fmul <2 x float> splat (float 2.0), <float 1.0, float 3.0>
  %c = fsub <2 x float> %a, %b
  ret <2 x float> %c
}

; CHECK-LABEL: define double @expression(
define double @expression() {
  %a = fadd double bitcast (i64 ptrtoint (ptr @stores to i64) to double), 1.0
  ret double %a
}
