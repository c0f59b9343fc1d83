// nonius: opt=O0,O2,O3-native
// Loads through an index: gathered in one instruction where the machine can.
#include <stdio.h>

#define N 64

__attribute__((noinline)) void rest(const double *a, const int *index, double big, double *out, int n) {
    for (int i = 0; i < n; i++) out[i] = a[index[i]] - big; //~ precision-loss: 52..53 bits lost @store
}

int main(void) {
    volatile double big = 1e17, small = 3;
    double a[N], out[N];
    int index[N];
    for (int i = 0; i < N; i++) a[i] = big + small * (i % 2), index[i] = (i * 11) % N;
    rest(a, index, big, out, N);
    printf("%g %g\n", out[0], out[1]);
}
