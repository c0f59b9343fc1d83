// Complex functions in quadruple precision, by the C library's own.
//
// nonius_complex_NAME takes the parts of the operands, each with its residue, then the parts of the double result z, and
// returns the residues of both. It changes neither `errno` nor the floating-point environment. Where the ideal is not finite
// there is no residue: 0.

#include <errno.h>
#include <xmmintrin.h>

typedef __float128 quad;
typedef _Complex float __attribute__((mode(TC))) complex_quad;
typedef struct { double re, im; } parts;

#define DECLARE(f) extern complex_quad f(complex_quad);
DECLARE(cexpf128) DECLARE(clogf128) DECLARE(csqrtf128)
DECLARE(csinf128) DECLARE(ccosf128) DECLARE(ctanf128)
DECLARE(csinhf128) DECLARE(ccoshf128) DECLARE(ctanhf128)
DECLARE(casinf128) DECLARE(cacosf128) DECLARE(catanf128)
DECLARE(casinhf128) DECLARE(cacoshf128) DECLARE(catanhf128)
extern complex_quad cpowf128(complex_quad, complex_quad);

// The sign of a zero says on which side of a branch cut it lies.
static quad ideal(double x, double e) { return e == 0 ? (quad)x : (quad)x + e; }

static complex_quad number(quad re, quad im) {
    complex_quad z;
    __real__ z = re;
    __imag__ z = im;
    return z;
}

static double residue(quad ideal, double z) {
    double e = (double)(ideal - z);
    return ideal - ideal == 0 && e - e == 0 ? e : 0;
}

static parts residues(complex_quad ideal, double re, double im) {
    return (parts){residue(__real__ ideal, re), residue(__imag__ ideal, im)};
}

// Straight from the definition: no double squared leaves a quad's range.
static complex_quad quotient(complex_quad a, complex_quad b) {
    quad ar = __real__ a, ai = __imag__ a, br = __real__ b, bi = __imag__ b;
    quad norm = br * br + bi * bi;
    return number((ar * br + ai * bi) / norm, (ai * br - ar * bi) / norm);
}

// Rounding to nearest without traps, whatever the program has set; see `fenv.rs`.
#define KEEPING_STATE(expression)    \
    int saved = errno;               \
    unsigned control = _mm_getcsr(); \
    _mm_setcsr(0x1f80);              \
    parts result = expression;       \
    _mm_setcsr(control);             \
    errno = saved;                   \
    return result;

#define OF_ONE(name)                                                                                 \
    parts nonius_complex_##name(double x, double ex, double y, double ey, double re, double im) {    \
        KEEPING_STATE(residues(name##f128(number(ideal(x, ex), ideal(y, ey))), re, im))              \
    }
#define OF_TWO(name, f)                                                                              \
    parts nonius_complex_##name(double x, double ex, double y, double ey, double u, double eu,       \
                                double v, double ev, double re, double im) {                         \
        KEEPING_STATE(residues(                                                                      \
            f(number(ideal(x, ex), ideal(y, ey)), number(ideal(u, eu), ideal(v, ev))), re, im))      \
    }
OF_ONE(cexp) OF_ONE(clog) OF_ONE(csqrt)
OF_ONE(csin) OF_ONE(ccos) OF_ONE(ctan)
OF_ONE(csinh) OF_ONE(ccosh) OF_ONE(ctanh)
OF_ONE(casin) OF_ONE(cacos) OF_ONE(catan)
OF_ONE(casinh) OF_ONE(cacosh) OF_ONE(catanh)
OF_TWO(cpow, cpowf128)
OF_TWO(cdiv, quotient)
