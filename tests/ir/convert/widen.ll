; A wider format holds the value exactly: the ideal goes along, and nothing is born.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define double @float(
; CHECK: %z = fpext float %x to double
; CHECK-NEXT: [[SAME:%[0-9]+]] = fsub double {{%[0-9]+}}, %z
; CHECK-NOT: __nonius_{{(preserving_)?}}nonfinite
; CHECK: ret double %z
define double @float(float %x) {
  %z = fpext float %x to double
  ret double %z
}

; CHECK-LABEL: define void @exact(
; CHECK: %z = fpext float %x to double
; CHECK-NOT: [[COPY]]
; CHECK: store double 0.000000e+00
; CHECK-NEXT: store volatile double %z
define void @exact(i1 %i, ptr %p) {
  %x = uitofp i1 %i to float
  %z = fpext float %x to double
  store volatile double %z, ptr %p
  ret void
}

; CHECK-LABEL: define void @all(
define void @all(half %h, bfloat %b, float %f, double %d, x86_fp80 %x, ptr %p) {
  %a1 = fpext half %h to float
  store volatile float %a1, ptr %p
  %a2 = fpext half %h to double
  store volatile double %a2, ptr %p
  %a3 = fpext half %h to x86_fp80
  store volatile x86_fp80 %a3, ptr %p
  %a4 = fpext half %h to fp128
  store volatile fp128 %a4, ptr %p
  %b1 = fpext bfloat %b to float
  store volatile float %b1, ptr %p
  %b2 = fpext bfloat %b to double
  store volatile double %b2, ptr %p
  %f1 = fpext float %f to x86_fp80
  store volatile x86_fp80 %f1, ptr %p
  %f2 = fpext float %f to fp128
  store volatile fp128 %f2, ptr %p
  %d1 = fpext double %d to x86_fp80
  store volatile x86_fp80 %d1, ptr %p
  %d2 = fpext double %d to fp128
  store volatile fp128 %d2, ptr %p
  %x1 = fpext x86_fp80 %x to fp128
  store volatile fp128 %x1, ptr %p
  ret void
}

; CHECK-LABEL: define <3 x double> @lanes(
; CHECK: fpext <3 x half> %h to <3 x double>
define <3 x double> @lanes(<3 x half> %h) {
  %z = fpext <3 x half> %h to <3 x double>
  ret <3 x double> %z
}
