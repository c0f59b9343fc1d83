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
; CHECK-NEXT: [[LOW:%[0-9]+]] = and i64 %i, 4294967295
; CHECK-NEXT: [[HIGH:%[0-9]+]] = xor i64 %i, [[LOW]]
; CHECK-NEXT: [[H:%[0-9]+]] = sitofp i64 [[HIGH]] to double
; CHECK-NEXT: [[L:%[0-9]+]] = uitofp i64 [[LOW]] to double
; CHECK-NEXT: [[TAKEN:%[0-9]+]] = fsub double %z, [[H]]
; CHECK-NEXT: fsub double [[L]], [[TAKEN]]
define double @rounded(i64 %i) {
  %z = sitofp i64 %i to double
  ret double %z
}

; What is known of an integer's bits can make it exact.
; CHECK-LABEL: define void @narrow_after_all(
; CHECK-NOT: and i64 {{.*}}4294967295
; CHECK-NOT: [[COPY]]
; CHECK: ret void
define void @narrow_after_all(i64 %i, <2 x i64> %v, ptr %p) {
  %shifted = lshr i64 %i, 11
  %a = uitofp i64 %shifted to double
  store volatile double %a, ptr %p
  %masked = and i64 %i, -2048
  %b = sitofp i64 %masked to double
  store volatile double %b, ptr %p
  %signed = ashr i64 %i, 10
  %c = sitofp i64 %signed to double
  store volatile double %c, ptr %p
  %lanes = and <2 x i64> %v, splat (i64 16777215)
  %d = uitofp <2 x i64> %lanes to <2 x double>
  store volatile <2 x double> %d, ptr %p
  ret void
}

; One bit more is one too many.
; CHECK-LABEL: define void @wide_after_all(
; CHECK: and i64 %shifted, 4294967295
; CHECK: and i64 %masked, 4294967295
define void @wide_after_all(i64 %i, ptr %p) {
  %shifted = lshr i64 %i, 10
  %a = uitofp i64 %shifted to double
  store volatile double %a, ptr %p
  %masked = and i64 %i, -512
  %b = sitofp i64 %masked to double
  store volatile double %b, ptr %p
  ret void
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
; CHECK: and <3 x i64> %i, splat (i64 4294967295)
define <3 x double> @lanes(<3 x i64> %i) {
  %z = sitofp <3 x i64> %i to <3 x double>
  ret <3 x double> %z
}
