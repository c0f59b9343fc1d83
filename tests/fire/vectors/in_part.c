// In wide vectors some lanes are wrong and others right, again and again; also where the errors are nearly subnormal.
// The wrong ones are counted, the right ones keep their shadows: those of every third element come to light later.
#include <stdio.h>

enum { N = 96 };

static float a[N], b[N], c[N], d[N];

__attribute__((noinline)) static void differ(float *restrict out, const float *restrict x, const float *restrict y) {
    for (int i = 0; i < N; i++)
        out[i] = (x[i] + y[i]) - x[i]; //~ precision-loss: 7..9 bits lost
}

__attribute__((noinline)) static void differ_tiny(float *restrict out, const float *restrict x, const float *restrict y) {
    for (int i = 0; i < N; i++)
        out[i] = (x[i] + y[i]) - x[i]; //~ precision-loss: 7..9 bits lost
}

__attribute__((noinline)) static void again(float *restrict out, const float *restrict x) {
    for (int i = 0; i < N; i++)
        out[i] = (x[i] + 4096) - 4096; //~ precision-loss: 11..13 bits lost
}

int main(void) {
    volatile float third = 1 / 3.0f;
    for (int i = 0; i < N; i++) {
        a[i] = i % 3 ? 1024 + i : 0;
        b[i] = third + i;
    }
    for (int rep = 0; rep < 40; rep++)
        differ(c, a, b);
    again(d, c);
    float sum = 0;
    for (int i = 0; i < N; i++)
        sum += d[i];
    for (int i = 0; i < N; i++) {
        a[i] *= 0x1p-118f;
        b[i] *= 0x1p-118f;
    }
    for (int rep = 0; rep < 40; rep++)
        differ_tiny(c, a, b);
    for (int i = 0; i < N; i++)
        sum += c[i] * 0x1p118f;
    printf("%d\n", sum > 1);
}
