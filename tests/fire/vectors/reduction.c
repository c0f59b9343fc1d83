// nonius: opt=O2-fast,O3-v3-fast
// A sum that fast-math lets the compiler split over many lanes: the absorbed terms are still lost.
#include <stdio.h>

#define N 4096

__attribute__((noinline)) float sum(const float *a, int n) {
    float s = 0;
    for (int i = 0; i < n; i++) s += a[i]; //~ precision-loss: 4..24 bits lost
    return s;
}

int main(void) {
    static float a[N];
    volatile float big = 4e9f, small = 0.7f;
    for (int i = 0; i < N; i++) a[i] = small;
    for (int i = 0; i < 128; i++) a[i] = big, a[N - 1 - i] = -big;
    printf("%g\n", (double)sum(a, N));
}
