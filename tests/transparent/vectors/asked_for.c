// nonius: opt=O0,O1,O2,O3,O2-native,O2-contract,O2-fast
// (Left out: where the code generator reassociates by the latencies around a sum, which shadow code changes.)
// A loop that the source wants vectorised may add up in another order: the order must stay the native one.
#include <stdio.h>

__attribute__((noinline)) static double sum(const double *a, int n) {
    double s = 0;
#pragma clang loop vectorize(enable)
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}

__attribute__((noinline)) static float dot(const float *a, const float *b, int n) {
    float s = 0;
#pragma clang loop vectorize(enable) interleave(enable)
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}

int main(void) {
    static double a[531];
    static float f[531], g[531];
    for (int i = 0; i < 531; i++) a[i] = 1.0 / (i + 0.7), f[i] = (float)a[i], g[i] = (float)(i % 7) / 3;
    for (volatile int n = 500; n < 531; n += 5) printf("%a %a\n", sum(a, n), (double)dot(f, g, n));
}
