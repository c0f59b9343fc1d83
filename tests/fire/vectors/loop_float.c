// nonius: opt=O2,O3,O3-native
// The same in float, eight or sixteen lanes wide, with a tail.
#include <stdio.h>

#define N 101

__attribute__((noinline)) void rest(const float *big, const float *small, float *out, int n) {
    for (int i = 0; i < n; i++) out[i] = (big[i] + small[i]) - big[i]; //~ precision-loss: 20..24 bits lost @store
}

int main(void) {
    volatile float b = 1e9f;
    float big[N], small[N], out[N];
    for (int i = 0; i < N; i++) big[i] = (float)i, small[i] = 1;
    big[17] = big[N - 1] = b;
    rest(big, small, out, N);
    printf("%g %g\n", (double)out[17], (double)out[N - 1]);
}
