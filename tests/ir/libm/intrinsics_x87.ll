; Mathematical intrinsics of x87 values: the evaluator works on ideals as quads.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @one(
; CHECK: call fp128 @__nonius_q_sin(
; CHECK: call fp128 @__nonius_q_cos(
; CHECK: call fp128 @__nonius_q_tan(
; CHECK: call fp128 @__nonius_q_asin(
; CHECK: call fp128 @__nonius_q_acos(
; CHECK: call fp128 @__nonius_q_atan(
; CHECK: call fp128 @__nonius_q_sinh(
; CHECK: call fp128 @__nonius_q_cosh(
; CHECK: call fp128 @__nonius_q_tanh(
; CHECK: call fp128 @__nonius_q_exp(
; CHECK: call fp128 @__nonius_q_exp2(
; CHECK: call fp128 @__nonius_q_exp10(
; CHECK: call fp128 @__nonius_q_log(
; CHECK: call fp128 @__nonius_q_log2(
; CHECK: call fp128 @__nonius_q_log10(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
define void @one(x86_fp80 %x, ptr %p) {
  %sin = call x86_fp80 @llvm.sin.f80(x86_fp80 %x)
  store volatile x86_fp80 %sin, ptr %p
  %cos = call x86_fp80 @llvm.cos.f80(x86_fp80 %x)
  store volatile x86_fp80 %cos, ptr %p
  %tan = call x86_fp80 @llvm.tan.f80(x86_fp80 %x)
  store volatile x86_fp80 %tan, ptr %p
  %asin = call x86_fp80 @llvm.asin.f80(x86_fp80 %x)
  store volatile x86_fp80 %asin, ptr %p
  %acos = call x86_fp80 @llvm.acos.f80(x86_fp80 %x)
  store volatile x86_fp80 %acos, ptr %p
  %atan = call x86_fp80 @llvm.atan.f80(x86_fp80 %x)
  store volatile x86_fp80 %atan, ptr %p
  %sinh = call x86_fp80 @llvm.sinh.f80(x86_fp80 %x)
  store volatile x86_fp80 %sinh, ptr %p
  %cosh = call x86_fp80 @llvm.cosh.f80(x86_fp80 %x)
  store volatile x86_fp80 %cosh, ptr %p
  %tanh = call x86_fp80 @llvm.tanh.f80(x86_fp80 %x)
  store volatile x86_fp80 %tanh, ptr %p
  %exp = call x86_fp80 @llvm.exp.f80(x86_fp80 %x)
  store volatile x86_fp80 %exp, ptr %p
  %exp2 = call x86_fp80 @llvm.exp2.f80(x86_fp80 %x)
  store volatile x86_fp80 %exp2, ptr %p
  %exp10 = call x86_fp80 @llvm.exp10.f80(x86_fp80 %x)
  store volatile x86_fp80 %exp10, ptr %p
  %log = call x86_fp80 @llvm.log.f80(x86_fp80 %x)
  store volatile x86_fp80 %log, ptr %p
  %log2 = call x86_fp80 @llvm.log2.f80(x86_fp80 %x)
  store volatile x86_fp80 %log2, ptr %p
  %log10 = call x86_fp80 @llvm.log10.f80(x86_fp80 %x)
  store volatile x86_fp80 %log10, ptr %p
  %floor = call x86_fp80 @llvm.floor.f80(x86_fp80 %x)
  store volatile x86_fp80 %floor, ptr %p
  %ceil = call x86_fp80 @llvm.ceil.f80(x86_fp80 %x)
  store volatile x86_fp80 %ceil, ptr %p
  %trunc = call x86_fp80 @llvm.trunc.f80(x86_fp80 %x)
  store volatile x86_fp80 %trunc, ptr %p
  %round = call x86_fp80 @llvm.round.f80(x86_fp80 %x)
  store volatile x86_fp80 %round, ptr %p
  %rint = call x86_fp80 @llvm.rint.f80(x86_fp80 %x)
  store volatile x86_fp80 %rint, ptr %p
  %nearbyint = call x86_fp80 @llvm.nearbyint.f80(x86_fp80 %x)
  store volatile x86_fp80 %nearbyint, ptr %p
  %roundeven = call x86_fp80 @llvm.roundeven.f80(x86_fp80 %x)
  store volatile x86_fp80 %roundeven, ptr %p
  ret void
}

; CHECK-LABEL: define void @two(
; CHECK: call fp128 @__nonius_q_pow(
; CHECK: call fp128 @__nonius_q_atan2(
; CHECK: call fp128 @__nonius_q_pow(
; CHECK: call fp128 @__nonius_q_ldexp(
define void @two(x86_fp80 %x, x86_fp80 %y, i32 %n, ptr %p) {
  %pow = call x86_fp80 @llvm.pow.f80(x86_fp80 %x, x86_fp80 %y)
  store volatile x86_fp80 %pow, ptr %p
  %atan2 = call x86_fp80 @llvm.atan2.f80(x86_fp80 %x, x86_fp80 %y)
  store volatile x86_fp80 %atan2, ptr %p
  %powi = call x86_fp80 @llvm.powi.f80.i32(x86_fp80 %x, i32 %n)
  store volatile x86_fp80 %powi, ptr %p
  %ldexp = call x86_fp80 @llvm.ldexp.f80.i32(x86_fp80 %x, i32 %n)
  store volatile x86_fp80 %ldexp, ptr %p
  ret void
}

; CHECK-LABEL: define void @pairs(
; CHECK: call fp128 @__nonius_q_sin(
; CHECK: call fp128 @__nonius_q_cos(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
define void @pairs(x86_fp80 %x, ptr %p) {
  %a = call { x86_fp80, x86_fp80 } @llvm.sincos.f80(x86_fp80 %x)
  store volatile { x86_fp80, x86_fp80 } %a, ptr %p
  %b = call { x86_fp80, x86_fp80 } @llvm.modf.f80(x86_fp80 %x)
  store volatile { x86_fp80, x86_fp80 } %b, ptr %p
  %c = call { x86_fp80, i32 } @llvm.frexp.f80.i32(x86_fp80 %x)
  %d = extractvalue { x86_fp80, i32 } %c, 0
  store volatile x86_fp80 %d, ptr %p
  ret void
}
