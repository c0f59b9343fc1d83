; An exponent for each lane.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define <2 x double> @v2f64(
; CHECK-COUNT-2: call double @__nonius_r_ldexp(
define <2 x double> @v2f64(<2 x double> %x, <2 x i32> %m) {
  %z = call <2 x double> @llvm.ldexp.v2f64.v2i32(<2 x double> %x, <2 x i32> %m)
  ret <2 x double> %z
}

; CHECK-LABEL: define <4 x float> @v4f32(
; CHECK-COUNT-4: call double @__nonius_w_ldexp(
define <4 x float> @v4f32(<4 x float> %x, <4 x i32> %m) {
  %z = call <4 x float> @llvm.ldexp.v4f32.v4i32(<4 x float> %x, <4 x i32> %m)
  ret <4 x float> %z
}

; CHECK-LABEL: define <3 x double> @v3f64(
; CHECK-COUNT-3: call double @__nonius_r_ldexp(
define <3 x double> @v3f64(<3 x double> %x, <3 x i32> %m) {
  %z = call <3 x double> @llvm.ldexp.v3f64.v3i32(<3 x double> %x, <3 x i32> %m)
  ret <3 x double> %z
}

; CHECK-LABEL: define <1 x float> @v1f32(
; CHECK-COUNT-1: call double @__nonius_w_ldexp(
define <1 x float> @v1f32(<1 x float> %x, <1 x i32> %m) {
  %z = call <1 x float> @llvm.ldexp.v1f32.v1i32(<1 x float> %x, <1 x i32> %m)
  ret <1 x float> %z
}

; CHECK-LABEL: define <2 x half> @v2f16(
; CHECK-COUNT-2: call double @__nonius_w_ldexp(
define <2 x half> @v2f16(<2 x half> %x, <2 x i32> %m) {
  %z = call <2 x half> @llvm.ldexp.v2f16.v2i32(<2 x half> %x, <2 x i32> %m)
  ret <2 x half> %z
}

; CHECK-LABEL: define <2 x x86_fp80> @v2f80(
; CHECK-COUNT-2: call fp128 @__nonius_q_ldexp(
define <2 x x86_fp80> @v2f80(<2 x x86_fp80> %x, <2 x i32> %m) {
  %z = call <2 x x86_fp80> @llvm.ldexp.v2f80.v2i32(<2 x x86_fp80> %x, <2 x i32> %m)
  ret <2 x x86_fp80> %z
}
