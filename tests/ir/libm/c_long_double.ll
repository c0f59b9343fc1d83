; The C library's functions of long double: each is called once, and evaluated beside.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @one(
; CHECK: call x86_fp80 @sinl(
; CHECK: call fp128 @__nonius_q_sin(
; CHECK: call x86_fp80 @cosl(
; CHECK: call fp128 @__nonius_q_cos(
; CHECK: call x86_fp80 @tanl(
; CHECK: call fp128 @__nonius_q_tan(
; CHECK: call x86_fp80 @asinl(
; CHECK: call fp128 @__nonius_q_asin(
; CHECK: call x86_fp80 @acosl(
; CHECK: call fp128 @__nonius_q_acos(
; CHECK: call x86_fp80 @atanl(
; CHECK: call fp128 @__nonius_q_atan(
; CHECK: call x86_fp80 @sinhl(
; CHECK: call fp128 @__nonius_q_sinh(
; CHECK: call x86_fp80 @coshl(
; CHECK: call fp128 @__nonius_q_cosh(
; CHECK: call x86_fp80 @tanhl(
; CHECK: call fp128 @__nonius_q_tanh(
; CHECK: call x86_fp80 @asinhl(
; CHECK: call fp128 @__nonius_q_asinh(
; CHECK: call x86_fp80 @acoshl(
; CHECK: call fp128 @__nonius_q_acosh(
; CHECK: call x86_fp80 @atanhl(
; CHECK: call fp128 @__nonius_q_atanh(
; CHECK: call x86_fp80 @expl(
; CHECK: call fp128 @__nonius_q_exp(
; CHECK: call x86_fp80 @exp2l(
; CHECK: call fp128 @__nonius_q_exp2(
; CHECK: call x86_fp80 @exp10l(
; CHECK: call fp128 @__nonius_q_exp10(
; CHECK: call x86_fp80 @expm1l(
; CHECK: call fp128 @__nonius_q_expm1(
; CHECK: call x86_fp80 @logl(
; CHECK: call fp128 @__nonius_q_log(
; CHECK: call x86_fp80 @log2l(
; CHECK: call fp128 @__nonius_q_log2(
; CHECK: call x86_fp80 @log10l(
; CHECK: call fp128 @__nonius_q_log10(
; CHECK: call x86_fp80 @log1pl(
; CHECK: call fp128 @__nonius_q_log1p(
; CHECK: call x86_fp80 @logbl(
; CHECK: call double @__nonius_w_logb(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call x86_fp80 @cbrtl(
; CHECK: call fp128 @__nonius_q_cbrt(
; CHECK: call x86_fp80 @erfl(
; CHECK: call fp128 @__nonius_q_erf(
; CHECK: call x86_fp80 @erfcl(
; CHECK: call fp128 @__nonius_q_erfc(
; CHECK: call x86_fp80 @tgammal(
; CHECK: call fp128 @__nonius_q_tgamma(
; CHECK: call x86_fp80 @lgammal(
; CHECK: call fp128 @__nonius_q_lgamma(
; CHECK: call x86_fp80 @j0l(
; CHECK: call fp128 @__nonius_q_j0(
; CHECK: call x86_fp80 @j1l(
; CHECK: call fp128 @__nonius_q_j1(
; CHECK: call x86_fp80 @y0l(
; CHECK: call fp128 @__nonius_q_y0(
; CHECK: call x86_fp80 @y1l(
; CHECK: call fp128 @__nonius_q_y1(
; CHECK: call x86_fp80 @floorl(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call x86_fp80 @ceill(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call x86_fp80 @truncl(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call x86_fp80 @roundl(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call x86_fp80 @rintl(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call x86_fp80 @nearbyintl(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call x86_fp80 @roundevenl(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
define void @one(x86_fp80 %x, ptr %p) {
  %sin = call x86_fp80 @sinl(x86_fp80 %x)
  store volatile x86_fp80 %sin, ptr %p
  %cos = call x86_fp80 @cosl(x86_fp80 %x)
  store volatile x86_fp80 %cos, ptr %p
  %tan = call x86_fp80 @tanl(x86_fp80 %x)
  store volatile x86_fp80 %tan, ptr %p
  %asin = call x86_fp80 @asinl(x86_fp80 %x)
  store volatile x86_fp80 %asin, ptr %p
  %acos = call x86_fp80 @acosl(x86_fp80 %x)
  store volatile x86_fp80 %acos, ptr %p
  %atan = call x86_fp80 @atanl(x86_fp80 %x)
  store volatile x86_fp80 %atan, ptr %p
  %sinh = call x86_fp80 @sinhl(x86_fp80 %x)
  store volatile x86_fp80 %sinh, ptr %p
  %cosh = call x86_fp80 @coshl(x86_fp80 %x)
  store volatile x86_fp80 %cosh, ptr %p
  %tanh = call x86_fp80 @tanhl(x86_fp80 %x)
  store volatile x86_fp80 %tanh, ptr %p
  %asinh = call x86_fp80 @asinhl(x86_fp80 %x)
  store volatile x86_fp80 %asinh, ptr %p
  %acosh = call x86_fp80 @acoshl(x86_fp80 %x)
  store volatile x86_fp80 %acosh, ptr %p
  %atanh = call x86_fp80 @atanhl(x86_fp80 %x)
  store volatile x86_fp80 %atanh, ptr %p
  %exp = call x86_fp80 @expl(x86_fp80 %x)
  store volatile x86_fp80 %exp, ptr %p
  %exp2 = call x86_fp80 @exp2l(x86_fp80 %x)
  store volatile x86_fp80 %exp2, ptr %p
  %exp10 = call x86_fp80 @exp10l(x86_fp80 %x)
  store volatile x86_fp80 %exp10, ptr %p
  %expm1 = call x86_fp80 @expm1l(x86_fp80 %x)
  store volatile x86_fp80 %expm1, ptr %p
  %log = call x86_fp80 @logl(x86_fp80 %x)
  store volatile x86_fp80 %log, ptr %p
  %log2 = call x86_fp80 @log2l(x86_fp80 %x)
  store volatile x86_fp80 %log2, ptr %p
  %log10 = call x86_fp80 @log10l(x86_fp80 %x)
  store volatile x86_fp80 %log10, ptr %p
  %log1p = call x86_fp80 @log1pl(x86_fp80 %x)
  store volatile x86_fp80 %log1p, ptr %p
  %logb = call x86_fp80 @logbl(x86_fp80 %x)
  store volatile x86_fp80 %logb, ptr %p
  %cbrt = call x86_fp80 @cbrtl(x86_fp80 %x)
  store volatile x86_fp80 %cbrt, ptr %p
  %erf = call x86_fp80 @erfl(x86_fp80 %x)
  store volatile x86_fp80 %erf, ptr %p
  %erfc = call x86_fp80 @erfcl(x86_fp80 %x)
  store volatile x86_fp80 %erfc, ptr %p
  %tgamma = call x86_fp80 @tgammal(x86_fp80 %x)
  store volatile x86_fp80 %tgamma, ptr %p
  %lgamma = call x86_fp80 @lgammal(x86_fp80 %x)
  store volatile x86_fp80 %lgamma, ptr %p
  %j0 = call x86_fp80 @j0l(x86_fp80 %x)
  store volatile x86_fp80 %j0, ptr %p
  %j1 = call x86_fp80 @j1l(x86_fp80 %x)
  store volatile x86_fp80 %j1, ptr %p
  %y0 = call x86_fp80 @y0l(x86_fp80 %x)
  store volatile x86_fp80 %y0, ptr %p
  %y1 = call x86_fp80 @y1l(x86_fp80 %x)
  store volatile x86_fp80 %y1, ptr %p
  %floor = call x86_fp80 @floorl(x86_fp80 %x)
  store volatile x86_fp80 %floor, ptr %p
  %ceil = call x86_fp80 @ceill(x86_fp80 %x)
  store volatile x86_fp80 %ceil, ptr %p
  %trunc = call x86_fp80 @truncl(x86_fp80 %x)
  store volatile x86_fp80 %trunc, ptr %p
  %round = call x86_fp80 @roundl(x86_fp80 %x)
  store volatile x86_fp80 %round, ptr %p
  %rint = call x86_fp80 @rintl(x86_fp80 %x)
  store volatile x86_fp80 %rint, ptr %p
  %nearbyint = call x86_fp80 @nearbyintl(x86_fp80 %x)
  store volatile x86_fp80 %nearbyint, ptr %p
  %roundeven = call x86_fp80 @roundevenl(x86_fp80 %x)
  store volatile x86_fp80 %roundeven, ptr %p
  ret void
}

; CHECK-LABEL: define void @two(
; CHECK: call fp128 @__nonius_q_pow(
; CHECK: call fp128 @__nonius_q_atan2(
; CHECK: call fp128 @__nonius_q_hypot(
; CHECK: call {{.*}}@__nonius_remainder(
; CHECK: call {{.*}}@__nonius_remainder(
; CHECK: call fp128 @__nonius_q_fdim(
; CHECK: call fp128 @__nonius_q_nextafter(
define void @two(x86_fp80 %x, x86_fp80 %y, ptr %p) {
  %pow = call x86_fp80 @powl(x86_fp80 %x, x86_fp80 %y)
  store volatile x86_fp80 %pow, ptr %p
  %atan2 = call x86_fp80 @atan2l(x86_fp80 %x, x86_fp80 %y)
  store volatile x86_fp80 %atan2, ptr %p
  %hypot = call x86_fp80 @hypotl(x86_fp80 %x, x86_fp80 %y)
  store volatile x86_fp80 %hypot, ptr %p
  %fmod = call x86_fp80 @fmodl(x86_fp80 %x, x86_fp80 %y)
  store volatile x86_fp80 %fmod, ptr %p
  %remainder = call x86_fp80 @remainderl(x86_fp80 %x, x86_fp80 %y)
  store volatile x86_fp80 %remainder, ptr %p
  %fdim = call x86_fp80 @fdiml(x86_fp80 %x, x86_fp80 %y)
  store volatile x86_fp80 %fdim, ptr %p
  %nextafter = call x86_fp80 @nextafterl(x86_fp80 %x, x86_fp80 %y)
  store volatile x86_fp80 %nextafter, ptr %p
  ret void
}

; CHECK-LABEL: define void @others(
; CHECK: call fp128 @__nonius_q_ldexp(
; CHECK: call fp128 @__nonius_q_ldexp(
; CHECK: call fp128 @__nonius_q_jn(
; CHECK: call fp128 @__nonius_q_frexp(
; CHECK: call {{.*}}@__nonius_{{(preserving_)?}}cast(
; CHECK: call fp128 @__nonius_q_sin(
; CHECK: call fp128 @__nonius_q_cos(
; CHECK: call {{.*}}@__nonius_remainder(
; CHECK: call fp128 @__nonius_q_lgamma(
define void @others(x86_fp80 %x, x86_fp80 %y, i32 %n, i64 %m, ptr %p, ptr %q) {
  %ldexp = call x86_fp80 @ldexpl(x86_fp80 %x, i32 %n)
  store volatile x86_fp80 %ldexp, ptr %q
  %scalbln = call x86_fp80 @scalblnl(x86_fp80 %x, i64 %m)
  store volatile x86_fp80 %scalbln, ptr %q
  %jn = call x86_fp80 @jnl(i32 %n, x86_fp80 %x)
  store volatile x86_fp80 %jn, ptr %q
  %frexp = call x86_fp80 @frexpl(x86_fp80 %x, ptr %p)
  store volatile x86_fp80 %frexp, ptr %q
  %modf = call x86_fp80 @modfl(x86_fp80 %x, ptr %p)
  store volatile x86_fp80 %modf, ptr %q
  call void @sincosl(x86_fp80 %x, ptr %p, ptr %q)
  %remquo = call x86_fp80 @remquol(x86_fp80 %x, x86_fp80 %y, ptr %p)
  store volatile x86_fp80 %remquo, ptr %q
  %lgamma = call x86_fp80 @lgammal_r(x86_fp80 %x, ptr %p)
  store volatile x86_fp80 %lgamma, ptr %q
  ret void
}

declare x86_fp80 @sinl(x86_fp80)
declare x86_fp80 @cosl(x86_fp80)
declare x86_fp80 @tanl(x86_fp80)
declare x86_fp80 @asinl(x86_fp80)
declare x86_fp80 @acosl(x86_fp80)
declare x86_fp80 @atanl(x86_fp80)
declare x86_fp80 @sinhl(x86_fp80)
declare x86_fp80 @coshl(x86_fp80)
declare x86_fp80 @tanhl(x86_fp80)
declare x86_fp80 @asinhl(x86_fp80)
declare x86_fp80 @acoshl(x86_fp80)
declare x86_fp80 @atanhl(x86_fp80)
declare x86_fp80 @expl(x86_fp80)
declare x86_fp80 @exp2l(x86_fp80)
declare x86_fp80 @exp10l(x86_fp80)
declare x86_fp80 @expm1l(x86_fp80)
declare x86_fp80 @logl(x86_fp80)
declare x86_fp80 @log2l(x86_fp80)
declare x86_fp80 @log10l(x86_fp80)
declare x86_fp80 @log1pl(x86_fp80)
declare x86_fp80 @logbl(x86_fp80)
declare x86_fp80 @cbrtl(x86_fp80)
declare x86_fp80 @erfl(x86_fp80)
declare x86_fp80 @erfcl(x86_fp80)
declare x86_fp80 @tgammal(x86_fp80)
declare x86_fp80 @lgammal(x86_fp80)
declare x86_fp80 @j0l(x86_fp80)
declare x86_fp80 @j1l(x86_fp80)
declare x86_fp80 @y0l(x86_fp80)
declare x86_fp80 @y1l(x86_fp80)
declare x86_fp80 @floorl(x86_fp80)
declare x86_fp80 @ceill(x86_fp80)
declare x86_fp80 @truncl(x86_fp80)
declare x86_fp80 @roundl(x86_fp80)
declare x86_fp80 @rintl(x86_fp80)
declare x86_fp80 @nearbyintl(x86_fp80)
declare x86_fp80 @roundevenl(x86_fp80)
declare x86_fp80 @powl(x86_fp80, x86_fp80)
declare x86_fp80 @atan2l(x86_fp80, x86_fp80)
declare x86_fp80 @hypotl(x86_fp80, x86_fp80)
declare x86_fp80 @fmodl(x86_fp80, x86_fp80)
declare x86_fp80 @remainderl(x86_fp80, x86_fp80)
declare x86_fp80 @fdiml(x86_fp80, x86_fp80)
declare x86_fp80 @nextafterl(x86_fp80, x86_fp80)
declare x86_fp80 @ldexpl(x86_fp80, i32)
declare x86_fp80 @scalblnl(x86_fp80, i64)
declare x86_fp80 @jnl(i32, x86_fp80)
declare x86_fp80 @frexpl(x86_fp80, ptr)
declare x86_fp80 @modfl(x86_fp80, ptr)
declare void @sincosl(x86_fp80, ptr, ptr)
declare x86_fp80 @remquol(x86_fp80, x86_fp80, ptr)
declare x86_fp80 @lgammal_r(x86_fp80, ptr)
