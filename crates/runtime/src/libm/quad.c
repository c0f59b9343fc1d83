// The mathematical functions in quadruple precision, by the C library's own `f128` functions.
//
// Rust has no stable 128-bit float, so these two files are C. Up to two evaluators a function:
//   nonius_quad_NAME      on quads, what `__nonius_q_NAME` jumps to;
//   nonius_residue_NAME   of the double z = NAME(x): NAME(x + ex) - z, computed in quad, for the
//                         functions that have no double-double evaluation.
// None changes `errno` or the floating-point environment. Where the ideal or the result is not finite, there is no residue: 0.

#include <errno.h>
#include <xmmintrin.h>

typedef __float128 quad;
typedef long long i64;

// Declared here because <math.h> names the type `_Float128`, which clang does not know.
#define DECLARE_X(f) extern quad f(quad);
#define DECLARE_XX(f) extern quad f(quad, quad);
DECLARE_X(sqrtf128) DECLARE_X(sinf128) DECLARE_X(cosf128) DECLARE_X(tanf128)
DECLARE_X(asinf128) DECLARE_X(acosf128) DECLARE_X(atanf128)
DECLARE_X(sinhf128) DECLARE_X(coshf128) DECLARE_X(tanhf128)
DECLARE_X(asinhf128) DECLARE_X(acoshf128) DECLARE_X(atanhf128)
DECLARE_X(expf128) DECLARE_X(exp2f128) DECLARE_X(exp10f128) DECLARE_X(expm1f128)
DECLARE_X(logf128) DECLARE_X(log2f128) DECLARE_X(log10f128) DECLARE_X(log1pf128) DECLARE_X(logbf128)
DECLARE_X(sqrtf128) DECLARE_X(cbrtf128) DECLARE_X(erff128) DECLARE_X(erfcf128) DECLARE_X(tgammaf128)
DECLARE_X(j0f128) DECLARE_X(j1f128) DECLARE_X(y0f128) DECLARE_X(y1f128)
DECLARE_X(floorf128) DECLARE_X(ceilf128) DECLARE_X(truncf128) DECLARE_X(roundf128)
DECLARE_X(rintf128) DECLARE_X(roundevenf128)
DECLARE_XX(powf128) DECLARE_XX(atan2f128) DECLARE_XX(hypotf128) DECLARE_XX(fmodf128)
DECLARE_XX(remainderf128) DECLARE_XX(fdimf128) DECLARE_XX(nextafterf128)
extern quad scalblnf128(quad, long);
extern quad lgammaf128_r(quad, int *);
extern quad jnf128(int, quad), ynf128(int, quad);

static int is_finite(quad x) { return x - x == 0; }
static int is_finite_double(double x) { return x - x == 0; }

// The residue of z, given the ideal result. It leaves the range of a double only if z should have.
static double residue(quad ideal, double z) {
    double e = (double)(ideal - z);
    return is_finite(ideal) && is_finite_double(e) ? e : 0;
}

static int as_int(i64 n) { return n > 0x7fffffff ? 0x7fffffff : n < -0x7fffffff ? -0x7fffffff : (int)n; }

// Rounding to nearest without traps, whatever the program has set; see `fenv.rs`.
#define KEEPING_STATE(type, expression) \
    int saved = errno;                  \
    unsigned control = _mm_getcsr();    \
    _mm_setcsr(0x1f80);                 \
    type result = expression;           \
    _mm_setcsr(control);                \
    errno = saved;                      \
    return result;

// lgamma without the global `signgam`, which belongs to the program.
static quad lgamma_quad(quad x) {
    int sign;
    return lgammaf128_r(x, &sign);
}

#define QUAD_X(name, f) \
    quad nonius_quad_##name(quad x) { KEEPING_STATE(quad, f(x)) }
#define QUAD_XX(name, f) \
    quad nonius_quad_##name(quad x, quad y) { KEEPING_STATE(quad, f(x, y)) }

// Functions whose residue of a double is computed elsewhere, in double-double.
QUAD_X(sqrt, sqrtf128)
QUAD_X(sin, sinf128)
QUAD_X(cos, cosf128)
QUAD_X(tan, tanf128)
QUAD_X(asin, asinf128)
QUAD_X(acos, acosf128)
QUAD_X(atan, atanf128)
QUAD_X(sinh, sinhf128)
QUAD_X(cosh, coshf128)
QUAD_X(tanh, tanhf128)
QUAD_X(asinh, asinhf128)
QUAD_X(acosh, acoshf128)
QUAD_X(atanh, atanhf128)
QUAD_X(exp, expf128)
QUAD_X(exp2, exp2f128)
QUAD_X(exp10, exp10f128)
QUAD_X(expm1, expm1f128)
QUAD_X(log, logf128)
QUAD_X(log2, log2f128)
QUAD_X(log10, log10f128)
QUAD_X(log1p, log1pf128)
QUAD_X(cbrt, cbrtf128)
QUAD_XX(pow, powf128)
QUAD_XX(atan2, atan2f128)
QUAD_XX(hypot, hypotf128)

// Functions that are smooth enough for the ideal argument to go straight in.
#define SMOOTH_X(name, f)                                              \
    QUAD_X(name, f)                                                    \
    double nonius_residue_##name(double x, double ex, double z) {      \
        KEEPING_STATE(double, residue(f((quad)x + ex), z))             \
    }
SMOOTH_X(erf, erff128)
SMOOTH_X(erfc, erfcf128)
SMOOTH_X(tgamma, tgammaf128)
SMOOTH_X(lgamma, lgamma_quad)
SMOOTH_X(j0, j0f128)
SMOOTH_X(j1, j1f128)
SMOOTH_X(y0, y0f128)
SMOOTH_X(y1, y1f128)

// Functions that are exact, or jump.
QUAD_X(floor, floorf128)
QUAD_X(ceil, ceilf128)
QUAD_X(trunc, truncf128)
QUAD_X(round, roundf128)
QUAD_X(rint, rintf128)
QUAD_X(roundeven, roundevenf128)
QUAD_X(logb, logbf128)
QUAD_XX(fmod, fmodf128)
QUAD_XX(remainder, remainderf128)
QUAD_XX(fdim, fdimf128)
QUAD_XX(nextafter, nextafterf128)
quad nonius_quad_ldexp(quad x, i64 n) { KEEPING_STATE(quad, scalblnf128(x, n)) }
// The exponent is the program's own.
quad nonius_quad_frexp(quad x, i64 exponent) { KEEPING_STATE(quad, scalblnf128(x, -exponent)) }
quad nonius_quad_modf(quad x) { KEEPING_STATE(quad, is_finite(x) ? x - truncf128(x) : 0) }

// What no function gives.
quad nonius_quad_nothing(void) { return (quad)__builtin_nan(""); }

#define BESSEL(name, f)                                                                   \
    quad nonius_quad_##name(i64 n, quad x) { KEEPING_STATE(quad, f(as_int(n), x)) }       \
    double nonius_residue_##name(i64 n, double x, double ex, double z) {                  \
        KEEPING_STATE(double, residue(f(as_int(n), (quad)x + ex), z))                     \
    }
BESSEL(jn, jnf128)
BESSEL(yn, ynf128)
