// nonius: opt=O0,O2,O3,O3-native
// A loop that is vectorized at the higher levels: every store is checked, at any width.
#include <math.h>
#include <stdio.h>

#define N 67

__attribute__((noinline)) void differences(const double *x, double *out, int n) {
    for (int i = 0; i < n; i++) out[i] = sqrt(x[i] + 1) - sqrt(x[i]); //~ precision-loss: 34..53 bits lost @store
}
__attribute__((noinline)) void conjugates(const double *x, double *out, int n) {
    for (int i = 0; i < n; i++) out[i] = 1 / (sqrt(x[i] + 1) + sqrt(x[i]));
}

int main(void) {
    volatile double top = 1e14;
    double x[N], out[N];
    for (int i = 0; i < N; i++) x[i] = i + 1;
    x[N - 1] = x[5] = top;
    differences(x, out, N);
    printf("%g\n", out[N - 1]);
    conjugates(x, out, N);
    printf("%g\n", out[N - 1]);
}
