; Mathematical intrinsics of floats: the evaluator works on ideals as doubles.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @one(
; CHECK: call double @__nonius_w_sin(
; CHECK: call double @__nonius_w_cos(
; CHECK: call double @__nonius_w_tan(
; CHECK: call double @__nonius_w_asin(
; CHECK: call double @__nonius_w_acos(
; CHECK: call double @__nonius_w_atan(
; CHECK: call double @__nonius_w_sinh(
; CHECK: call double @__nonius_w_cosh(
; CHECK: call double @__nonius_w_tanh(
; CHECK: call double @__nonius_w_exp(
; CHECK: call double @__nonius_w_exp2(
; CHECK: call double @__nonius_w_exp10(
; CHECK: call double @__nonius_w_log(
; CHECK: call double @__nonius_w_log2(
; CHECK: call double @__nonius_w_log10(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
define void @one(float %x, ptr %p) {
  %sin = call float @llvm.sin.f32(float %x)
  store volatile float %sin, ptr %p
  %cos = call float @llvm.cos.f32(float %x)
  store volatile float %cos, ptr %p
  %tan = call float @llvm.tan.f32(float %x)
  store volatile float %tan, ptr %p
  %asin = call float @llvm.asin.f32(float %x)
  store volatile float %asin, ptr %p
  %acos = call float @llvm.acos.f32(float %x)
  store volatile float %acos, ptr %p
  %atan = call float @llvm.atan.f32(float %x)
  store volatile float %atan, ptr %p
  %sinh = call float @llvm.sinh.f32(float %x)
  store volatile float %sinh, ptr %p
  %cosh = call float @llvm.cosh.f32(float %x)
  store volatile float %cosh, ptr %p
  %tanh = call float @llvm.tanh.f32(float %x)
  store volatile float %tanh, ptr %p
  %exp = call float @llvm.exp.f32(float %x)
  store volatile float %exp, ptr %p
  %exp2 = call float @llvm.exp2.f32(float %x)
  store volatile float %exp2, ptr %p
  %exp10 = call float @llvm.exp10.f32(float %x)
  store volatile float %exp10, ptr %p
  %log = call float @llvm.log.f32(float %x)
  store volatile float %log, ptr %p
  %log2 = call float @llvm.log2.f32(float %x)
  store volatile float %log2, ptr %p
  %log10 = call float @llvm.log10.f32(float %x)
  store volatile float %log10, ptr %p
  %floor = call float @llvm.floor.f32(float %x)
  store volatile float %floor, ptr %p
  %ceil = call float @llvm.ceil.f32(float %x)
  store volatile float %ceil, ptr %p
  %trunc = call float @llvm.trunc.f32(float %x)
  store volatile float %trunc, ptr %p
  %round = call float @llvm.round.f32(float %x)
  store volatile float %round, ptr %p
  %rint = call float @llvm.rint.f32(float %x)
  store volatile float %rint, ptr %p
  %nearbyint = call float @llvm.nearbyint.f32(float %x)
  store volatile float %nearbyint, ptr %p
  %roundeven = call float @llvm.roundeven.f32(float %x)
  store volatile float %roundeven, ptr %p
  ret void
}

; CHECK-LABEL: define void @two(
; CHECK: call double @__nonius_w_pow(
; CHECK: call double @__nonius_w_atan2(
; CHECK: call double @__nonius_w_pow(
; CHECK: call double @__nonius_w_ldexp(
define void @two(float %x, float %y, i32 %n, ptr %p) {
  %pow = call float @llvm.pow.f32(float %x, float %y)
  store volatile float %pow, ptr %p
  %atan2 = call float @llvm.atan2.f32(float %x, float %y)
  store volatile float %atan2, ptr %p
  %powi = call float @llvm.powi.f32.i32(float %x, i32 %n)
  store volatile float %powi, ptr %p
  %ldexp = call float @llvm.ldexp.f32.i32(float %x, i32 %n)
  store volatile float %ldexp, ptr %p
  ret void
}

; CHECK-LABEL: define void @pairs(
; CHECK: call double @__nonius_w_sin(
; CHECK: call double @__nonius_w_cos(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
define void @pairs(float %x, ptr %p) {
  %a = call { float, float } @llvm.sincos.f32(float %x)
  store volatile { float, float } %a, ptr %p
  %b = call { float, float } @llvm.modf.f32(float %x)
  store volatile { float, float } %b, ptr %p
  %c = call { float, i32 } @llvm.frexp.f32.i32(float %x)
  %d = extractvalue { float, i32 } %c, 0
  store volatile float %d, ptr %p
  ret void
}
