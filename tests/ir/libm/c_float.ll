; The C library's functions of float: each is called once, and evaluated beside.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @one(
; CHECK: call float @sinf(
; CHECK: call double @__nonius_w_sin(
; CHECK: call float @cosf(
; CHECK: call double @__nonius_w_cos(
; CHECK: call float @tanf(
; CHECK: call double @__nonius_w_tan(
; CHECK: call float @asinf(
; CHECK: call double @__nonius_w_asin(
; CHECK: call float @acosf(
; CHECK: call double @__nonius_w_acos(
; CHECK: call float @atanf(
; CHECK: call double @__nonius_w_atan(
; CHECK: call float @sinhf(
; CHECK: call double @__nonius_w_sinh(
; CHECK: call float @coshf(
; CHECK: call double @__nonius_w_cosh(
; CHECK: call float @tanhf(
; CHECK: call double @__nonius_w_tanh(
; CHECK: call float @asinhf(
; CHECK: call double @__nonius_w_asinh(
; CHECK: call float @acoshf(
; CHECK: call double @__nonius_w_acosh(
; CHECK: call float @atanhf(
; CHECK: call double @__nonius_w_atanh(
; CHECK: call float @expf(
; CHECK: call double @__nonius_w_exp(
; CHECK: call float @exp2f(
; CHECK: call double @__nonius_w_exp2(
; CHECK: call float @exp10f(
; CHECK: call double @__nonius_w_exp10(
; CHECK: call float @expm1f(
; CHECK: call double @__nonius_w_expm1(
; CHECK: call float @logf(
; CHECK: call double @__nonius_w_log(
; CHECK: call float @log2f(
; CHECK: call double @__nonius_w_log2(
; CHECK: call float @log10f(
; CHECK: call double @__nonius_w_log10(
; CHECK: call float @log1pf(
; CHECK: call double @__nonius_w_log1p(
; CHECK: call float @logbf(
; CHECK: call double @__nonius_w_logb(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call float @cbrtf(
; CHECK: call double @__nonius_w_cbrt(
; CHECK: call float @erff(
; CHECK: call double @__nonius_w_erf(
; CHECK: call float @erfcf(
; CHECK: call double @__nonius_w_erfc(
; CHECK: call float @tgammaf(
; CHECK: call double @__nonius_w_tgamma(
; CHECK: call float @lgammaf(
; CHECK: call double @__nonius_w_lgamma(
; CHECK: call float @j0f(
; CHECK: call double @__nonius_w_j0(
; CHECK: call float @j1f(
; CHECK: call double @__nonius_w_j1(
; CHECK: call float @y0f(
; CHECK: call double @__nonius_w_y0(
; CHECK: call float @y1f(
; CHECK: call double @__nonius_w_y1(
; CHECK: call float @floorf(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call float @ceilf(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call float @truncf(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call float @roundf(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call float @rintf(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call float @nearbyintf(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call float @roundevenf(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
define void @one(float %x, ptr %p) {
  %sin = call float @sinf(float %x)
  store volatile float %sin, ptr %p
  %cos = call float @cosf(float %x)
  store volatile float %cos, ptr %p
  %tan = call float @tanf(float %x)
  store volatile float %tan, ptr %p
  %asin = call float @asinf(float %x)
  store volatile float %asin, ptr %p
  %acos = call float @acosf(float %x)
  store volatile float %acos, ptr %p
  %atan = call float @atanf(float %x)
  store volatile float %atan, ptr %p
  %sinh = call float @sinhf(float %x)
  store volatile float %sinh, ptr %p
  %cosh = call float @coshf(float %x)
  store volatile float %cosh, ptr %p
  %tanh = call float @tanhf(float %x)
  store volatile float %tanh, ptr %p
  %asinh = call float @asinhf(float %x)
  store volatile float %asinh, ptr %p
  %acosh = call float @acoshf(float %x)
  store volatile float %acosh, ptr %p
  %atanh = call float @atanhf(float %x)
  store volatile float %atanh, ptr %p
  %exp = call float @expf(float %x)
  store volatile float %exp, ptr %p
  %exp2 = call float @exp2f(float %x)
  store volatile float %exp2, ptr %p
  %exp10 = call float @exp10f(float %x)
  store volatile float %exp10, ptr %p
  %expm1 = call float @expm1f(float %x)
  store volatile float %expm1, ptr %p
  %log = call float @logf(float %x)
  store volatile float %log, ptr %p
  %log2 = call float @log2f(float %x)
  store volatile float %log2, ptr %p
  %log10 = call float @log10f(float %x)
  store volatile float %log10, ptr %p
  %log1p = call float @log1pf(float %x)
  store volatile float %log1p, ptr %p
  %logb = call float @logbf(float %x)
  store volatile float %logb, ptr %p
  %cbrt = call float @cbrtf(float %x)
  store volatile float %cbrt, ptr %p
  %erf = call float @erff(float %x)
  store volatile float %erf, ptr %p
  %erfc = call float @erfcf(float %x)
  store volatile float %erfc, ptr %p
  %tgamma = call float @tgammaf(float %x)
  store volatile float %tgamma, ptr %p
  %lgamma = call float @lgammaf(float %x)
  store volatile float %lgamma, ptr %p
  %j0 = call float @j0f(float %x)
  store volatile float %j0, ptr %p
  %j1 = call float @j1f(float %x)
  store volatile float %j1, ptr %p
  %y0 = call float @y0f(float %x)
  store volatile float %y0, ptr %p
  %y1 = call float @y1f(float %x)
  store volatile float %y1, ptr %p
  %floor = call float @floorf(float %x)
  store volatile float %floor, ptr %p
  %ceil = call float @ceilf(float %x)
  store volatile float %ceil, ptr %p
  %trunc = call float @truncf(float %x)
  store volatile float %trunc, ptr %p
  %round = call float @roundf(float %x)
  store volatile float %round, ptr %p
  %rint = call float @rintf(float %x)
  store volatile float %rint, ptr %p
  %nearbyint = call float @nearbyintf(float %x)
  store volatile float %nearbyint, ptr %p
  %roundeven = call float @roundevenf(float %x)
  store volatile float %roundeven, ptr %p
  ret void
}

; CHECK-LABEL: define void @two(
; CHECK: call double @__nonius_w_pow(
; CHECK: call double @__nonius_w_atan2(
; CHECK: call double @__nonius_w_hypot(
; CHECK: call {{.*}}@__nonius_remainder(
; CHECK: call {{.*}}@__nonius_remainder(
; CHECK: call double @__nonius_w_fdim(
; CHECK: call double @__nonius_w_nextafter(
define void @two(float %x, float %y, ptr %p) {
  %pow = call float @powf(float %x, float %y)
  store volatile float %pow, ptr %p
  %atan2 = call float @atan2f(float %x, float %y)
  store volatile float %atan2, ptr %p
  %hypot = call float @hypotf(float %x, float %y)
  store volatile float %hypot, ptr %p
  %fmod = call float @fmodf(float %x, float %y)
  store volatile float %fmod, ptr %p
  %remainder = call float @remainderf(float %x, float %y)
  store volatile float %remainder, ptr %p
  %fdim = call float @fdimf(float %x, float %y)
  store volatile float %fdim, ptr %p
  %nextafter = call float @nextafterf(float %x, float %y)
  store volatile float %nextafter, ptr %p
  ret void
}

; CHECK-LABEL: define void @others(
; CHECK: call double @__nonius_w_ldexp(
; CHECK: call double @__nonius_w_ldexp(
; CHECK: call double @__nonius_w_jn(
; CHECK: call double @__nonius_w_frexp(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call double @__nonius_w_sin(
; CHECK: call double @__nonius_w_cos(
; CHECK: call {{.*}}@__nonius_remainder(
; CHECK: call double @__nonius_w_lgamma(
define void @others(float %x, float %y, i32 %n, i64 %m, ptr %p, ptr %q) {
  %ldexp = call float @ldexpf(float %x, i32 %n)
  store volatile float %ldexp, ptr %q
  %scalbln = call float @scalblnf(float %x, i64 %m)
  store volatile float %scalbln, ptr %q
  %jn = call float @jnf(i32 %n, float %x)
  store volatile float %jn, ptr %q
  %frexp = call float @frexpf(float %x, ptr %p)
  store volatile float %frexp, ptr %q
  %modf = call float @modff(float %x, ptr %p)
  store volatile float %modf, ptr %q
  call void @sincosf(float %x, ptr %p, ptr %q)
  %remquo = call float @remquof(float %x, float %y, ptr %p)
  store volatile float %remquo, ptr %q
  %lgamma = call float @lgammaf_r(float %x, ptr %p)
  store volatile float %lgamma, ptr %q
  ret void
}

declare float @sinf(float)
declare float @cosf(float)
declare float @tanf(float)
declare float @asinf(float)
declare float @acosf(float)
declare float @atanf(float)
declare float @sinhf(float)
declare float @coshf(float)
declare float @tanhf(float)
declare float @asinhf(float)
declare float @acoshf(float)
declare float @atanhf(float)
declare float @expf(float)
declare float @exp2f(float)
declare float @exp10f(float)
declare float @expm1f(float)
declare float @logf(float)
declare float @log2f(float)
declare float @log10f(float)
declare float @log1pf(float)
declare float @logbf(float)
declare float @cbrtf(float)
declare float @erff(float)
declare float @erfcf(float)
declare float @tgammaf(float)
declare float @lgammaf(float)
declare float @j0f(float)
declare float @j1f(float)
declare float @y0f(float)
declare float @y1f(float)
declare float @floorf(float)
declare float @ceilf(float)
declare float @truncf(float)
declare float @roundf(float)
declare float @rintf(float)
declare float @nearbyintf(float)
declare float @roundevenf(float)
declare float @powf(float, float)
declare float @atan2f(float, float)
declare float @hypotf(float, float)
declare float @fmodf(float, float)
declare float @remainderf(float, float)
declare float @fdimf(float, float)
declare float @nextafterf(float, float)
declare float @ldexpf(float, i32)
declare float @scalblnf(float, i64)
declare float @jnf(i32, float)
declare float @frexpf(float, ptr)
declare float @modff(float, ptr)
declare void @sincosf(float, ptr, ptr)
declare float @remquof(float, float, ptr)
declare float @lgammaf_r(float, ptr)
