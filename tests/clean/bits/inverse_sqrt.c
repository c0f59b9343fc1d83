// The fast inverse square root: a float made from integer bits, then polished.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static float inverse_sqrt(float x) {
    uint32_t i;
    memcpy(&i, &x, sizeof i);
    i = 0x5f3759df - (i >> 1);
    float y;
    memcpy(&y, &i, sizeof y);
    y = y * (1.5f - 0.5f * x * y * y);
    return y * (1.5f - 0.5f * x * y * y);
}

int main(void) {
    volatile float xs[] = {0.25f, 2, 1234.5f};
    for (int i = 0; i < 3; i++) printf("%.6g\n", (double)inverse_sqrt(xs[i]));
}
