// nonius: opt=O0,O1,O2,O3,O2-native,O2-contract
// Complex arithmetic of three formats, with the recovery code for infinities.
#include <complex.h>
#include <stdio.h>

static volatile double re[] = {1, -0.1, 1e200, 3}, im[] = {0.5, 7, -1e200, 1e-200};

__attribute__((noinline)) static float complex to_float(double complex z) { return z; }
__attribute__((noinline)) static long double complex to_long(double complex z) { return z * 2.0L; }

int main(void) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double complex a = __builtin_complex(re[i], im[i]), b = __builtin_complex(re[j], im[j]);
            double complex s = a + b, p = a * b * 1e-200, q = b / a;
            printf("%a %a %a %a %a %a ", creal(s), cimag(s), creal(p), cimag(p), creal(q), cimag(q));
            float complex f = to_float(a * 1e-180);
            long double complex l = to_long(b);
            printf("%a %a %La %La %d\n", crealf(f), cimagf(f), creall(l), cimagl(l), a == b);
        }
    double complex z = csqrt(__builtin_complex(re[1], im[1])), w = cexp(__builtin_complex(re[0], im[0]));
    printf("%a %a %a %a %a\n", creal(z), cimag(z), creal(w), cimag(w), cabs(w));
}
