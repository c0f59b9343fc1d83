; Rounding to a shorter format: the ideal does not change, the value does.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define float @double(
; CHECK: %z = fptrunc double %x to float
; CHECK-NEXT: [[IDEAL:%[0-9]+]] = fadd double %x, {{%[0-9]+}}
; CHECK: __nonius_{{(preserving_)?}}nonfinite
; CHECK: store double
define float @double(double %x) {
  %z = fptrunc double %x to float
  ret float %z
}

; CHECK-LABEL: define double @x87(
; CHECK: %z = fptrunc x86_fp80 %x to double
; CHECK: fsub fp128
; CHECK: fptrunc fp128 {{%[0-9]+}} to double
define double @x87(x86_fp80 %x) {
  %z = fptrunc x86_fp80 %x to double
  ret double %z
}

; CHECK-LABEL: define void @all(
define void @all(float %f, double %d, x86_fp80 %x, fp128 %q, ptr %p) {
  %f1 = fptrunc float %f to half
  store volatile half %f1, ptr %p
  %f2 = fptrunc float %f to bfloat
  store volatile bfloat %f2, ptr %p
  %d1 = fptrunc double %d to half
  store volatile half %d1, ptr %p
  %d2 = fptrunc double %d to bfloat
  store volatile bfloat %d2, ptr %p
  %x1 = fptrunc x86_fp80 %x to float
  store volatile float %x1, ptr %p
  %x2 = fptrunc x86_fp80 %x to half
  store volatile half %x2, ptr %p
  %q1 = fptrunc fp128 %q to x86_fp80
  store volatile x86_fp80 %q1, ptr %p
  %q2 = fptrunc fp128 %q to double
  store volatile double %q2, ptr %p
  %q3 = fptrunc fp128 %q to float
  store volatile float %q3, ptr %p
  %q4 = fptrunc fp128 %q to half
  store volatile half %q4, ptr %p
  ret void
}

; CHECK-LABEL: define <4 x float> @lanes(
; CHECK: fptrunc <4 x double> %x to <4 x float>
define <4 x float> @lanes(<4 x double> %x) {
  %z = fptrunc <4 x double> %x to <4 x float>
  ret <4 x float> %z
}
