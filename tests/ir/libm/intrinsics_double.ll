; Mathematical intrinsics of doubles: the evaluator of residues takes value and residue, and the result.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @one(
; CHECK: call double @__nonius_r_sin(
; CHECK: call double @__nonius_r_cos(
; CHECK: call double @__nonius_r_tan(
; CHECK: call double @__nonius_r_asin(
; CHECK: call double @__nonius_r_acos(
; CHECK: call double @__nonius_r_atan(
; CHECK: call double @__nonius_r_sinh(
; CHECK: call double @__nonius_r_cosh(
; CHECK: call double @__nonius_r_tanh(
; CHECK: call double @__nonius_r_exp(
; CHECK: call double @__nonius_r_exp2(
; CHECK: call double @__nonius_r_exp10(
; CHECK: call double @__nonius_r_log(
; CHECK: call double @__nonius_r_log2(
; CHECK: call double @__nonius_r_log10(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
define void @one(double %x, ptr %p) {
  %sin = call double @llvm.sin.f64(double %x)
  store volatile double %sin, ptr %p
  %cos = call double @llvm.cos.f64(double %x)
  store volatile double %cos, ptr %p
  %tan = call double @llvm.tan.f64(double %x)
  store volatile double %tan, ptr %p
  %asin = call double @llvm.asin.f64(double %x)
  store volatile double %asin, ptr %p
  %acos = call double @llvm.acos.f64(double %x)
  store volatile double %acos, ptr %p
  %atan = call double @llvm.atan.f64(double %x)
  store volatile double %atan, ptr %p
  %sinh = call double @llvm.sinh.f64(double %x)
  store volatile double %sinh, ptr %p
  %cosh = call double @llvm.cosh.f64(double %x)
  store volatile double %cosh, ptr %p
  %tanh = call double @llvm.tanh.f64(double %x)
  store volatile double %tanh, ptr %p
  %exp = call double @llvm.exp.f64(double %x)
  store volatile double %exp, ptr %p
  %exp2 = call double @llvm.exp2.f64(double %x)
  store volatile double %exp2, ptr %p
  %exp10 = call double @llvm.exp10.f64(double %x)
  store volatile double %exp10, ptr %p
  %log = call double @llvm.log.f64(double %x)
  store volatile double %log, ptr %p
  %log2 = call double @llvm.log2.f64(double %x)
  store volatile double %log2, ptr %p
  %log10 = call double @llvm.log10.f64(double %x)
  store volatile double %log10, ptr %p
  %floor = call double @llvm.floor.f64(double %x)
  store volatile double %floor, ptr %p
  %ceil = call double @llvm.ceil.f64(double %x)
  store volatile double %ceil, ptr %p
  %trunc = call double @llvm.trunc.f64(double %x)
  store volatile double %trunc, ptr %p
  %round = call double @llvm.round.f64(double %x)
  store volatile double %round, ptr %p
  %rint = call double @llvm.rint.f64(double %x)
  store volatile double %rint, ptr %p
  %nearbyint = call double @llvm.nearbyint.f64(double %x)
  store volatile double %nearbyint, ptr %p
  %roundeven = call double @llvm.roundeven.f64(double %x)
  store volatile double %roundeven, ptr %p
  ret void
}

; CHECK-LABEL: define void @two(
; CHECK: call double @__nonius_r_pow(
; CHECK: call double @__nonius_r_atan2(
; CHECK: call double @__nonius_r_pow(
; CHECK: call double @__nonius_r_ldexp(
define void @two(double %x, double %y, i32 %n, ptr %p) {
  %pow = call double @llvm.pow.f64(double %x, double %y)
  store volatile double %pow, ptr %p
  %atan2 = call double @llvm.atan2.f64(double %x, double %y)
  store volatile double %atan2, ptr %p
  %powi = call double @llvm.powi.f64.i32(double %x, i32 %n)
  store volatile double %powi, ptr %p
  %ldexp = call double @llvm.ldexp.f64.i32(double %x, i32 %n)
  store volatile double %ldexp, ptr %p
  ret void
}

; CHECK-LABEL: define void @pairs(
; CHECK: call double @__nonius_r_sin(
; CHECK: call double @__nonius_r_cos(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
define void @pairs(double %x, ptr %p) {
  %a = call { double, double } @llvm.sincos.f64(double %x)
  store volatile { double, double } %a, ptr %p
  %b = call { double, double } @llvm.modf.f64(double %x)
  store volatile { double, double } %b, ptr %p
  %c = call { double, i32 } @llvm.frexp.f64.i32(double %x)
  %d = extractvalue { double, i32 } %c, 0
  store volatile double %d, ptr %p
  ret void
}

; Values that the function only hands on.
; CHECK-LABEL: define double @copies(
; CHECK-NOT: __nonius_r_
; CHECK: ret double
define double @copies(double %x) {
  %a = call double @llvm.canonicalize.f64(double %x)
  %b = call double @llvm.arithmetic.fence.f64(double %a)
  %c = call i1 @llvm.is.fpclass.f64(double %b, i32 3)
  %d = select i1 %c, double %b, double %a
  ret double %d
}
