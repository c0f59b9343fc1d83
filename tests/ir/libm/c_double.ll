; The C library's functions of double: each is called once, and evaluated beside.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @one(
; CHECK: call double @sin(
; CHECK: call double @__nonius_r_sin(
; CHECK: call double @cos(
; CHECK: call double @__nonius_r_cos(
; CHECK: call double @tan(
; CHECK: call double @__nonius_r_tan(
; CHECK: call double @asin(
; CHECK: call double @__nonius_r_asin(
; CHECK: call double @acos(
; CHECK: call double @__nonius_r_acos(
; CHECK: call double @atan(
; CHECK: call double @__nonius_r_atan(
; CHECK: call double @sinh(
; CHECK: call double @__nonius_r_sinh(
; CHECK: call double @cosh(
; CHECK: call double @__nonius_r_cosh(
; CHECK: call double @tanh(
; CHECK: call double @__nonius_r_tanh(
; CHECK: call double @asinh(
; CHECK: call double @__nonius_r_asinh(
; CHECK: call double @acosh(
; CHECK: call double @__nonius_r_acosh(
; CHECK: call double @atanh(
; CHECK: call double @__nonius_r_atanh(
; CHECK: call double @exp(
; CHECK: call double @__nonius_r_exp(
; CHECK: call double @exp2(
; CHECK: call double @__nonius_r_exp2(
; CHECK: call double @exp10(
; CHECK: call double @__nonius_r_exp10(
; CHECK: call double @expm1(
; CHECK: call double @__nonius_r_expm1(
; CHECK: call double @log(
; CHECK: call double @__nonius_r_log(
; CHECK: call double @log2(
; CHECK: call double @__nonius_r_log2(
; CHECK: call double @log10(
; CHECK: call double @__nonius_r_log10(
; CHECK: call double @log1p(
; CHECK: call double @__nonius_r_log1p(
; CHECK: call double @logb(
; CHECK: call double @__nonius_w_logb(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call double @cbrt(
; CHECK: call double @__nonius_r_cbrt(
; CHECK: call double @erf(
; CHECK: call double @__nonius_r_erf(
; CHECK: call double @erfc(
; CHECK: call double @__nonius_r_erfc(
; CHECK: call double @tgamma(
; CHECK: call double @__nonius_r_tgamma(
; CHECK: call double @lgamma(
; CHECK: call double @__nonius_r_lgamma(
; CHECK: call double @j0(
; CHECK: call double @__nonius_r_j0(
; CHECK: call double @j1(
; CHECK: call double @__nonius_r_j1(
; CHECK: call double @y0(
; CHECK: call double @__nonius_r_y0(
; CHECK: call double @y1(
; CHECK: call double @__nonius_r_y1(
; CHECK: call double @floor(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call double @ceil(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call double @trunc(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call double @round(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call double @rint(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call double @nearbyint(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call double @roundeven(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
define void @one(double %x, ptr %p) {
  %sin = call double @sin(double %x)
  store volatile double %sin, ptr %p
  %cos = call double @cos(double %x)
  store volatile double %cos, ptr %p
  %tan = call double @tan(double %x)
  store volatile double %tan, ptr %p
  %asin = call double @asin(double %x)
  store volatile double %asin, ptr %p
  %acos = call double @acos(double %x)
  store volatile double %acos, ptr %p
  %atan = call double @atan(double %x)
  store volatile double %atan, ptr %p
  %sinh = call double @sinh(double %x)
  store volatile double %sinh, ptr %p
  %cosh = call double @cosh(double %x)
  store volatile double %cosh, ptr %p
  %tanh = call double @tanh(double %x)
  store volatile double %tanh, ptr %p
  %asinh = call double @asinh(double %x)
  store volatile double %asinh, ptr %p
  %acosh = call double @acosh(double %x)
  store volatile double %acosh, ptr %p
  %atanh = call double @atanh(double %x)
  store volatile double %atanh, ptr %p
  %exp = call double @exp(double %x)
  store volatile double %exp, ptr %p
  %exp2 = call double @exp2(double %x)
  store volatile double %exp2, ptr %p
  %exp10 = call double @exp10(double %x)
  store volatile double %exp10, ptr %p
  %expm1 = call double @expm1(double %x)
  store volatile double %expm1, ptr %p
  %log = call double @log(double %x)
  store volatile double %log, ptr %p
  %log2 = call double @log2(double %x)
  store volatile double %log2, ptr %p
  %log10 = call double @log10(double %x)
  store volatile double %log10, ptr %p
  %log1p = call double @log1p(double %x)
  store volatile double %log1p, ptr %p
  %logb = call double @logb(double %x)
  store volatile double %logb, ptr %p
  %cbrt = call double @cbrt(double %x)
  store volatile double %cbrt, ptr %p
  %erf = call double @erf(double %x)
  store volatile double %erf, ptr %p
  %erfc = call double @erfc(double %x)
  store volatile double %erfc, ptr %p
  %tgamma = call double @tgamma(double %x)
  store volatile double %tgamma, ptr %p
  %lgamma = call double @lgamma(double %x)
  store volatile double %lgamma, ptr %p
  %j0 = call double @j0(double %x)
  store volatile double %j0, ptr %p
  %j1 = call double @j1(double %x)
  store volatile double %j1, ptr %p
  %y0 = call double @y0(double %x)
  store volatile double %y0, ptr %p
  %y1 = call double @y1(double %x)
  store volatile double %y1, ptr %p
  %floor = call double @floor(double %x)
  store volatile double %floor, ptr %p
  %ceil = call double @ceil(double %x)
  store volatile double %ceil, ptr %p
  %trunc = call double @trunc(double %x)
  store volatile double %trunc, ptr %p
  %round = call double @round(double %x)
  store volatile double %round, ptr %p
  %rint = call double @rint(double %x)
  store volatile double %rint, ptr %p
  %nearbyint = call double @nearbyint(double %x)
  store volatile double %nearbyint, ptr %p
  %roundeven = call double @roundeven(double %x)
  store volatile double %roundeven, ptr %p
  ret void
}

; CHECK-LABEL: define void @two(
; CHECK: call double @__nonius_r_pow(
; CHECK: call double @__nonius_r_atan2(
; CHECK: call double @__nonius_r_hypot(
; CHECK: call {{.*}}@__nonius_remainder(
; CHECK: call {{.*}}@__nonius_remainder(
; CHECK: call double @__nonius_r_fdim(
; CHECK: call double @__nonius_r_nextafter(
define void @two(double %x, double %y, ptr %p) {
  %pow = call double @pow(double %x, double %y)
  store volatile double %pow, ptr %p
  %atan2 = call double @atan2(double %x, double %y)
  store volatile double %atan2, ptr %p
  %hypot = call double @hypot(double %x, double %y)
  store volatile double %hypot, ptr %p
  %fmod = call double @fmod(double %x, double %y)
  store volatile double %fmod, ptr %p
  %remainder = call double @remainder(double %x, double %y)
  store volatile double %remainder, ptr %p
  %fdim = call double @fdim(double %x, double %y)
  store volatile double %fdim, ptr %p
  %nextafter = call double @nextafter(double %x, double %y)
  store volatile double %nextafter, ptr %p
  ret void
}

; CHECK-LABEL: define void @others(
; CHECK: call double @__nonius_r_ldexp(
; CHECK: call double @__nonius_r_ldexp(
; CHECK: call double @__nonius_r_jn(
; CHECK: call double @__nonius_r_frexp(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call double @__nonius_r_sin(
; CHECK: call double @__nonius_r_cos(
; CHECK: call {{.*}}@__nonius_remainder(
; CHECK: call double @__nonius_r_lgamma(
define void @others(double %x, double %y, i32 %n, i64 %m, ptr %p, ptr %q) {
  %ldexp = call double @ldexp(double %x, i32 %n)
  store volatile double %ldexp, ptr %q
  %scalbln = call double @scalbln(double %x, i64 %m)
  store volatile double %scalbln, ptr %q
  %jn = call double @jn(i32 %n, double %x)
  store volatile double %jn, ptr %q
  %frexp = call double @frexp(double %x, ptr %p)
  store volatile double %frexp, ptr %q
  %modf = call double @modf(double %x, ptr %p)
  store volatile double %modf, ptr %q
  call void @sincos(double %x, ptr %p, ptr %q)
  %remquo = call double @remquo(double %x, double %y, ptr %p)
  store volatile double %remquo, ptr %q
  %lgamma = call double @lgamma_r(double %x, ptr %p)
  store volatile double %lgamma, ptr %q
  ret void
}

declare double @sin(double)
declare double @cos(double)
declare double @tan(double)
declare double @asin(double)
declare double @acos(double)
declare double @atan(double)
declare double @sinh(double)
declare double @cosh(double)
declare double @tanh(double)
declare double @asinh(double)
declare double @acosh(double)
declare double @atanh(double)
declare double @exp(double)
declare double @exp2(double)
declare double @exp10(double)
declare double @expm1(double)
declare double @log(double)
declare double @log2(double)
declare double @log10(double)
declare double @log1p(double)
declare double @logb(double)
declare double @cbrt(double)
declare double @erf(double)
declare double @erfc(double)
declare double @tgamma(double)
declare double @lgamma(double)
declare double @j0(double)
declare double @j1(double)
declare double @y0(double)
declare double @y1(double)
declare double @floor(double)
declare double @ceil(double)
declare double @trunc(double)
declare double @round(double)
declare double @rint(double)
declare double @nearbyint(double)
declare double @roundeven(double)
declare double @pow(double, double)
declare double @atan2(double, double)
declare double @hypot(double, double)
declare double @fmod(double, double)
declare double @remainder(double, double)
declare double @fdim(double, double)
declare double @nextafter(double, double)
declare double @ldexp(double, i32)
declare double @scalbln(double, i64)
declare double @jn(i32, double)
declare double @frexp(double, ptr)
declare double @modf(double, ptr)
declare void @sincos(double, ptr, ptr)
declare double @remquo(double, double, ptr)
declare double @lgamma_r(double, ptr)
