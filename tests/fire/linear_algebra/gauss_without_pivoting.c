// Elimination with a tiny pivot; exchanging the rows first makes it harmless.
#include <stdio.h>

__attribute__((noinline)) void solve(double a[2][3], double *x) {
    double f = a[1][0] / a[0][0];
    a[1][1] -= f * a[0][1];
    a[1][2] -= f * a[0][2];
    x[1] = a[1][2] / a[1][1];
    x[0] = (a[0][2] - a[0][1] * x[1]) / a[0][0]; //~ precision-loss: 52..53 bits lost @store
}

int main(void) {
    volatile double tiny = 1e-20;
    double bad[2][3] = {{tiny, 1, 1}, {1, 1, 2}}, good[2][3] = {{1, 1, 2}, {tiny, 1, 1}}, x[2];
    solve(bad, x);
    printf("%g %g\n", x[0], x[1]);
    solve(good, x);
    printf("%g %g\n", x[0], x[1]);
}
