// nonius: opt=O0,O2,O3,O3-native
// A guard that becomes a select when vectorized: the division by zero is computed and thrown away.
#include <stdio.h>

__attribute__((noinline)) static void inverses(const double *x, double *out, int n) {
    for (int i = 0; i < n; i++) out[i] = x[i] != 0 ? 1 / x[i] : 0;
}
__attribute__((noinline)) static void ratios(const float *x, const float *y, float *out, int n) {
    for (int i = 0; i < n; i++) out[i] = y[i] > 0 ? x[i] / y[i] : 0;
}

int main(void) {
    double x[37], out[37];
    float a[37], b[37], c[37];
    for (int i = 0; i < 37; i++) x[i] = i % 5, a[i] = 0, b[i] = (float)(i % 3);
    inverses(x, out, 37);
    ratios(a, b, c, 37);
    printf("%g %g %g\n", out[0], out[3], (double)c[3]);
}
