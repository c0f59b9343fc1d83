// nonius: opt=O0,O1,O2,O3
// (Where clang vectorises the loop with masks, its own code divides by zero in the lanes that it drops, and traps.)
// With traps for invalid, divide and overflow enabled, code that raises none of them is not killed.
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static void inverses(const double *x, double *out, int n) {
    for (int i = 0; i < n; i++)
        if (x[i] != 0) out[i] = 1 / x[i];
}

int main(void) {
    double x[33], out[33] = {0};
    for (int i = 0; i < 33; i++) x[i] = i % 4;
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    inverses(x, out, 33);
    double sum = 0, big = 1e308;
    for (int i = 0; i < 33; i++) sum += out[i] * sqrt(x[i]) + (x[i] > 1 ? log(x[i]) : 0);
    big = big * 0.5 + big * 0.9;
    printf("%a %a %d\n", sum, big, fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW));
}
