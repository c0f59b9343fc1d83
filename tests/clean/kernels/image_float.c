// nonius: opt=O0,O2,O3,O3-native
// A blur and a gain on float pixels, rounded to bytes half way between the integers' edges.
#include <stdio.h>

#define N 200

__attribute__((noinline)) static void blur(const float *in, float *out, int n) {
    for (int i = 1; i < n - 1; i++) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}
__attribute__((noinline)) static void to_bytes(const float *in, unsigned char *out, int n) {
    for (int i = 0; i < n; i++) out[i] = (unsigned char)(in[i] * 0.5f + 0.25f);
}

int main(void) {
    float a[N], b[N];
    unsigned char c[N];
    for (int i = 0; i < N; i++) a[i] = b[i] = (float)(i % 50) * 4;
    blur(a, b, N);
    to_bytes(b, c, N);
    int sum = 0;
    for (int i = 0; i < N; i++) sum += c[i];
    printf("%d\n", sum);
}
