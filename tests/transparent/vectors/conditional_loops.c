// Loops with conditions: masked loads and stores, selects, early values, mixed types.
#include <math.h>
#include <stdio.h>

#define N 133

__attribute__((noinline)) static void masked(double *out, const double *a, const int *on, int n) {
    for (int i = 0; i < n; i++)
        if (on[i] > 2) out[i] = a[i] * out[i] + sqrt(fabs(a[i]));
}
__attribute__((noinline)) static void selected(float *out, const float *a, const float *b, int n) {
    for (int i = 0; i < n; i++) out[i] = a[i] > b[i] ? a[i] / b[i] : b[i] < 3 ? a[i] - b[i] : 1.5f;
}
__attribute__((noinline)) static int positives(const double *a, int n) {
    int count = 0;
    for (int i = 0; i < n; i++) count += a[i] > 0 && a[i] * a[i] < 30;
    return count;
}

int main(void) {
    double a[N], out[N];
    float x[N], y[N], z[N];
    int on[N];
    for (int i = 0; i < N; i++) {
        a[i] = (i * 37 % 101 - 50) / 7.0, out[i] = i / 3.0, on[i] = i % 5;
        x[i] = (float)(i * 11 % 17), y[i] = (float)(i * 5 % 13 + 1), z[i] = 0;
    }
    masked(out, a, on, N);
    selected(z, x, y, N);
    for (int i = 0; i < N; i++) printf("%a %a\n", out[i], (double)z[i]);
    printf("%d\n", positives(a, N));
}
