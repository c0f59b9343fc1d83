// Rounding modes that the program sets without telling the compiler: rounding functions and conversions are those of the
// function's own target in every mode, not those of wider instructions.
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define N 9

__attribute__((noinline)) static void round_all(const double *x, const float *y, double *o, float *p) {
    for (int i = 0; i < N; i++) o[i] = round(x[i]), p[i] = roundf(y[i]);
}

int main(void) {
    const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    volatile double values[N] = {4503599627370497.0, 0.49999999999999994, -0.5, 2.5, -1e300, 0.3, -0.7, 1e15 + 0.5, -3.5};
    volatile uint64_t whole[] = {0, 1, ~UINT64_C(0), UINT64_C(0x8000000000000001), UINT64_C(0x20000000000001)};
    for (int m = 0; m < 4; m++) {
        fesetround(modes[m]);
        double x[N], o[N];
        float y[N], p[N];
        for (int i = 0; i < N; i++) x[i] = values[i], y[i] = (float)fmod(values[i], 1e6);
        round_all(x, y, o, p);
        for (int i = 0; i < N; i++) {
            double v = values[i];
            printf("%a %a %a %a %a %a %a %ld\n", round(v), floor(v), ceil(v), trunc(v), rint(v), o[i], (double)p[i],
                   lround(fmod(v, 1e6)));
        }
        for (int i = 0; i < 5; i++) printf("%a %a\n", (double)whole[i], (double)(float)whole[i]);
    }
}
