// Softmax without subtracting the maximum: exp overflows, and inf/inf is NaN. The others are 0 for 7e-43, which is known
// only to an oracle that has the exponents of what overflowed.
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) void naive(const float *x, float *out, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) {
        out[i] = expf(x[i]); //~ inf
        sum += out[i];
    }
    for (int i = 0; i < n; i++) out[i] = out[i] / sum; //~ nan //~? precision-loss: 24..24 bits lost
}

__attribute__((noinline)) void shifted(const float *x, float *out, int n) {
    float sum = 0, max = x[0];
    for (int i = 1; i < n; i++) max = x[i] > max ? x[i] : max;
    for (int i = 0; i < n; i++) {
        out[i] = expf(x[i] - max);
        sum += out[i];
    }
    for (int i = 0; i < n; i++) out[i] = out[i] / sum;
}

int main(void) {
    volatile float top = 100;
    float x[] = {top, 3, 1, -5}, out[4];
    naive(x, out, 4);
    printf("%g\n", (double)out[0]);
    shifted(x, out, 4);
    printf("%g\n", (double)out[0]);
}
