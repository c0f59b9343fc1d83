; Vectors go lane by lane.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define <2 x double> @v2f64(
; CHECK-COUNT-2: call double @__nonius_r_sin(
; CHECK-COUNT-2: call double @__nonius_r_pow(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK-COUNT-2: call double @__nonius_r_pow(
define <2 x double> @v2f64(<2 x double> %x, <2 x double> %y, i32 %n) {
  %a = call <2 x double> @llvm.sin.v2f64(<2 x double> %x)
  %b = call <2 x double> @llvm.pow.v2f64(<2 x double> %a, <2 x double> %y)
  %c = call <2 x double> @llvm.floor.v2f64(<2 x double> %b)
  %d = call <2 x double> @llvm.powi.v2f64.i32(<2 x double> %c, i32 %n)
  ret <2 x double> %d
}

; CHECK-LABEL: define <4 x float> @v4f32(
; CHECK-COUNT-4: call double @__nonius_w_sin(
; CHECK-COUNT-4: call double @__nonius_w_pow(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK-COUNT-4: call double @__nonius_w_pow(
define <4 x float> @v4f32(<4 x float> %x, <4 x float> %y, i32 %n) {
  %a = call <4 x float> @llvm.sin.v4f32(<4 x float> %x)
  %b = call <4 x float> @llvm.pow.v4f32(<4 x float> %a, <4 x float> %y)
  %c = call <4 x float> @llvm.floor.v4f32(<4 x float> %b)
  %d = call <4 x float> @llvm.powi.v4f32.i32(<4 x float> %c, i32 %n)
  ret <4 x float> %d
}

; CHECK-LABEL: define <3 x double> @v3f64(
; CHECK-COUNT-3: call double @__nonius_r_sin(
; CHECK-COUNT-3: call double @__nonius_r_pow(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK-COUNT-3: call double @__nonius_r_pow(
define <3 x double> @v3f64(<3 x double> %x, <3 x double> %y, i32 %n) {
  %a = call <3 x double> @llvm.sin.v3f64(<3 x double> %x)
  %b = call <3 x double> @llvm.pow.v3f64(<3 x double> %a, <3 x double> %y)
  %c = call <3 x double> @llvm.floor.v3f64(<3 x double> %b)
  %d = call <3 x double> @llvm.powi.v3f64.i32(<3 x double> %c, i32 %n)
  ret <3 x double> %d
}

; CHECK-LABEL: define <1 x float> @v1f32(
; CHECK-COUNT-1: call double @__nonius_w_sin(
; CHECK-COUNT-1: call double @__nonius_w_pow(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK-COUNT-1: call double @__nonius_w_pow(
define <1 x float> @v1f32(<1 x float> %x, <1 x float> %y, i32 %n) {
  %a = call <1 x float> @llvm.sin.v1f32(<1 x float> %x)
  %b = call <1 x float> @llvm.pow.v1f32(<1 x float> %a, <1 x float> %y)
  %c = call <1 x float> @llvm.floor.v1f32(<1 x float> %b)
  %d = call <1 x float> @llvm.powi.v1f32.i32(<1 x float> %c, i32 %n)
  ret <1 x float> %d
}

; CHECK-LABEL: define <2 x half> @v2f16(
; CHECK-COUNT-2: call double @__nonius_w_sin(
; CHECK-COUNT-2: call double @__nonius_w_pow(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK-COUNT-2: call double @__nonius_w_pow(
define <2 x half> @v2f16(<2 x half> %x, <2 x half> %y, i32 %n) {
  %a = call <2 x half> @llvm.sin.v2f16(<2 x half> %x)
  %b = call <2 x half> @llvm.pow.v2f16(<2 x half> %a, <2 x half> %y)
  %c = call <2 x half> @llvm.floor.v2f16(<2 x half> %b)
  %d = call <2 x half> @llvm.powi.v2f16.i32(<2 x half> %c, i32 %n)
  ret <2 x half> %d
}

; CHECK-LABEL: define <2 x x86_fp80> @v2f80(
; CHECK-COUNT-2: call fp128 @__nonius_q_sin(
; CHECK-COUNT-2: call fp128 @__nonius_q_pow(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK-COUNT-2: call fp128 @__nonius_q_pow(
define <2 x x86_fp80> @v2f80(<2 x x86_fp80> %x, <2 x x86_fp80> %y, i32 %n) {
  %a = call <2 x x86_fp80> @llvm.sin.v2f80(<2 x x86_fp80> %x)
  %b = call <2 x x86_fp80> @llvm.pow.v2f80(<2 x x86_fp80> %a, <2 x x86_fp80> %y)
  %c = call <2 x x86_fp80> @llvm.floor.v2f80(<2 x x86_fp80> %b)
  %d = call <2 x x86_fp80> @llvm.powi.v2f80.i32(<2 x x86_fp80> %c, i32 %n)
  ret <2 x x86_fp80> %d
}
