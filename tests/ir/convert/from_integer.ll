; An integer that fits is exact. A wider one is rounded, and the error is known.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @exact(
; CHECK-NOT: fp128
; CHECK-NOT: [[COPY]]
; CHECK: ret void
define void @exact(i32 %i, i16 %s, i1 %b, ptr %p) {
  %a = sitofp i32 %i to double
  store volatile double %a, ptr %p
  %c = uitofp i32 %i to double
  store volatile double %c, ptr %p
  %d = sitofp i16 %s to float
  store volatile float %d, ptr %p
  %e = uitofp i1 %b to half
  store volatile half %e, ptr %p
  ret void
}

; CHECK-LABEL: define double @rounded(
; CHECK: %z = sitofp i64 %i to double
; CHECK-NEXT: [[IDEAL:%[0-9]+]] = sitofp i64 %i to fp128
; CHECK-NEXT: [[VALUE:%[0-9]+]] = fpext double %z to fp128
; CHECK-NEXT: [[E:%[0-9]+]] = fsub fp128 [[IDEAL]], [[VALUE]]
; CHECK-NEXT: fptrunc fp128 [[E]] to double
define double @rounded(i64 %i) {
  %z = sitofp i64 %i to double
  ret double %z
}

; CHECK-LABEL: define float @to_float(
; CHECK: %z = uitofp i32 %i to float
; CHECK-NEXT: uitofp i32 %i to double
define float @to_float(i32 %i) {
  %z = uitofp i32 %i to float
  ret float %z
}

; CHECK-LABEL: define void @widths(
define void @widths(i64 %i, i128 %w, i7 %t, ptr %p) {
  %a = uitofp i64 %i to float
  store volatile float %a, ptr %p
  %b = uitofp i64 %i to x86_fp80
  store volatile x86_fp80 %b, ptr %p
  %c = sitofp i128 %w to double
  store volatile double %c, ptr %p
  %d = uitofp i128 %w to fp128
  store volatile fp128 %d, ptr %p
  %f = sitofp i7 %t to bfloat
  store volatile bfloat %f, ptr %p
  %g = sitofp i128 %w to x86_fp80
  store volatile x86_fp80 %g, ptr %p
  %h = uitofp i64 %i to half
  store volatile half %h, ptr %p
  ret void
}

; CHECK-LABEL: define <3 x double> @lanes(
; CHECK: sitofp <3 x i64> %i to <3 x fp128>
define <3 x double> @lanes(<3 x i64> %i) {
  %z = sitofp <3 x i64> %i to <3 x double>
  ret <3 x double> %z
}
