// nonius: opt=O0,O2,O3-native
// A conditional store becomes a masked one; lanes that are off must not report, lanes that are on must.
#include <stdio.h>

#define N 64

__attribute__((noinline)) void rest(const double *a, const double *b, const int *on, double *out, int n) {
    for (int i = 0; i < n; i++)
        if (on[i]) out[i] = (a[i] + b[i]) - a[i]; //~ precision-loss: 52..53 bits lost @store
}
__attribute__((noinline)) void guarded(const double *a, const double *b, double *out, int n) {
    for (int i = 0; i < n; i++)
        if (a[i] < 1e15) out[i] = (a[i] + b[i]) - a[i];
}

int main(void) {
    volatile double big = 1e17;
    double a[N], b[N], out[N] = {0};
    int on[N];
    for (int i = 0; i < N; i++) a[i] = i % 8 == 3 ? big : i, b[i] = 3, on[i] = i % 16 == 3;
    rest(a, b, on, out, N);
    printf("%g %g\n", out[3], out[11]);
    guarded(a, b, out, N);
    printf("%g %g\n", out[4], out[11]);
}
