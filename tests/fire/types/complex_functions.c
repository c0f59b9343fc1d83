// Complex quotients, roots and exponentials hand the errors of their parts on.
#include <complex.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

NOINLINE double quotient(double complex a, double complex b, double real) {
    return creal(a / b) - real; //~ precision-loss: 38..50 bits lost @return
}
NOINLINE double wave(double complex z, double real) {
    return creal(cexp(z)) - real; //~ precision-loss: 38..50 bits lost @return
}
NOINLINE double angle(double complex z, double less) {
    return carg(z) - less; //~ precision-loss: 38..50 bits lost @return
}
NOINLINE float root(float complex z, float less) {
    return crealf(csqrtf(z)) - less; //~ precision-loss: 12..24 bits lost @return
}
// The stable forms: the difference is taken before the function, or not at all.
NOINLINE double small_wave(double re, double im) { return cimag(cexp(re + im * I)); }
NOINLINE double complex plain(double complex a, double complex b) { return csqrt(a / b) + clog(b); }

int main(void) {
    volatile double three = 3, tenth = 0.1, tiny = 1e-14;
    volatile float third = 1.0f / 3;
    double complex z = tenth * three + three * I;
    double q = creal(z / (three + I)), w = creal(cexp(z)), a = carg(z);
    double off = quotient(z * (1 + tiny), three + I, q) + wave(z + tiny, w) + angle(z * (1 + tiny * I), a);
    float complex f = third + third * I;
    float r = crealf(csqrtf(f));
    printf("%d %d\n", off < 1, root(f * (1 + (float)(tiny * 1e7)), r) < 1);
    double complex p = plain(z, three + I);
    printf("%g %g %g\n", small_wave(tiny, tenth), creal(p), cimag(p));
    return 0;
}
