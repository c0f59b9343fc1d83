; Mathematical intrinsics of halves: the evaluator works on ideals as doubles.
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
define void @one(half %x, ptr %p) {
  %sin = call half @llvm.sin.f16(half %x)
  store volatile half %sin, ptr %p
  %cos = call half @llvm.cos.f16(half %x)
  store volatile half %cos, ptr %p
  %tan = call half @llvm.tan.f16(half %x)
  store volatile half %tan, ptr %p
  %asin = call half @llvm.asin.f16(half %x)
  store volatile half %asin, ptr %p
  %acos = call half @llvm.acos.f16(half %x)
  store volatile half %acos, ptr %p
  %atan = call half @llvm.atan.f16(half %x)
  store volatile half %atan, ptr %p
  %sinh = call half @llvm.sinh.f16(half %x)
  store volatile half %sinh, ptr %p
  %cosh = call half @llvm.cosh.f16(half %x)
  store volatile half %cosh, ptr %p
  %tanh = call half @llvm.tanh.f16(half %x)
  store volatile half %tanh, ptr %p
  %exp = call half @llvm.exp.f16(half %x)
  store volatile half %exp, ptr %p
  %exp2 = call half @llvm.exp2.f16(half %x)
  store volatile half %exp2, ptr %p
  %exp10 = call half @llvm.exp10.f16(half %x)
  store volatile half %exp10, ptr %p
  %log = call half @llvm.log.f16(half %x)
  store volatile half %log, ptr %p
  %log2 = call half @llvm.log2.f16(half %x)
  store volatile half %log2, ptr %p
  %log10 = call half @llvm.log10.f16(half %x)
  store volatile half %log10, ptr %p
  %floor = call half @llvm.floor.f16(half %x)
  store volatile half %floor, ptr %p
  %ceil = call half @llvm.ceil.f16(half %x)
  store volatile half %ceil, ptr %p
  %trunc = call half @llvm.trunc.f16(half %x)
  store volatile half %trunc, ptr %p
  %round = call half @llvm.round.f16(half %x)
  store volatile half %round, ptr %p
  %rint = call half @llvm.rint.f16(half %x)
  store volatile half %rint, ptr %p
  %nearbyint = call half @llvm.nearbyint.f16(half %x)
  store volatile half %nearbyint, ptr %p
  %roundeven = call half @llvm.roundeven.f16(half %x)
  store volatile half %roundeven, ptr %p
  ret void
}

; CHECK-LABEL: define void @two(
; CHECK: call double @__nonius_w_pow(
; CHECK: call double @__nonius_w_atan2(
; CHECK: call double @__nonius_w_pow(
; CHECK: call double @__nonius_w_ldexp(
define void @two(half %x, half %y, i32 %n, ptr %p) {
  %pow = call half @llvm.pow.f16(half %x, half %y)
  store volatile half %pow, ptr %p
  %atan2 = call half @llvm.atan2.f16(half %x, half %y)
  store volatile half %atan2, ptr %p
  %powi = call half @llvm.powi.f16.i32(half %x, i32 %n)
  store volatile half %powi, ptr %p
  %ldexp = call half @llvm.ldexp.f16.i32(half %x, i32 %n)
  store volatile half %ldexp, ptr %p
  ret void
}

; CHECK-LABEL: define void @pairs(
; CHECK: call double @__nonius_w_sin(
; CHECK: call double @__nonius_w_cos(
define void @pairs(half %x, ptr %p) {
  %a = call { half, half } @llvm.sincos.f16(half %x)
  store volatile { half, half } %a, ptr %p
  %c = call { half, i32 } @llvm.frexp.f16.i32(half %x)
  %d = extractvalue { half, i32 } %c, 0
  store volatile half %d, ptr %p
  ret void
}
