// fma by name and by contraction, fmuladd in loops, negated and mixed forms.
#include <math.h>
#include <stdio.h>

#define N 45

__attribute__((noinline)) static void contract(const double *a, const double *b, double *c, int n) {
    for (int i = 0; i < n; i++) c[i] = a[i] * b[i] + c[i] - b[i] * 3 + -(a[i] * a[i]);
}
__attribute__((noinline)) static double polynomial(double x) { return ((0.1 * x + 0.3) * x - 0.7) * x + 1.1; }
__attribute__((noinline)) static double determinant(double a, double b, double c, double d) { return a * d - b * c; }

int main(void) {
    double a[N], b[N], c[N];
    for (int i = 0; i < N; i++) a[i] = i / 7.0, b[i] = sqrt(i), c[i] = 1.0 / (i + 1);
    contract(a, b, c, N);
    for (int i = 0; i < N; i++) {
        double p = a[i] * b[i];
        printf("%a %a %a %a\n", c[i], fma(a[i], b[i], -p), polynomial(a[i]), determinant(a[i], b[i], c[i], a[i]));
        printf("%a %a\n", fmaf((float)a[i], (float)b[i], 0.1f), (double)fmal(a[i], b[i], -1));
    }
}
