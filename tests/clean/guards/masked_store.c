// nonius: flags=-march=native
// A vectorised loop divides in all lanes and stores some: what is not stored was not computed.
#include <stdio.h>

__attribute__((noinline)) static void inverses(const double *x, double *out, int n) {
    for (int i = 0; i < n; i++)
        if (x[i] != 0) out[i] = 1 / x[i];
}

__attribute__((noinline)) static void ratios(const float *x, const float *y, float *out, int n) {
    for (int i = 0; i < n; i++)
        if (x[i] > 0 && y[i] > 0) out[i] = y[i] / x[i] + 1 / y[i];
}

int main(void) {
    static double x[67], out[67];
    static float f[67], g[67], h[67];
    for (int i = 0; i < 67; i++) x[i] = i % 4, f[i] = (float)(i % 3), g[i] = (float)(i % 5);
    inverses(x, out, 67);
    ratios(f, g, h, 67);
    double sum = 0;
    for (int i = 0; i < 67; i++) sum += out[i] + (double)h[i];
    printf("%g\n", sum);
}
