// A float norm whose squares fall below the smallest normal number; scaled by the maximum it is right.
#include <math.h>
#include <stdio.h>

float norm(float x, float y) { return sqrtf(x * x + y * y); } //~ precision-loss: 10..24 bits lost
float scaled(float x, float y) {
    float m = fmaxf(fabsf(x), fabsf(y));
    return m * sqrtf((x / m) * (x / m) + (y / m) * (y / m));
}

int main(void) {
    volatile float x = 3e-22f, y = 4e-22f;
    printf("%g %g\n", (double)norm(x, y), (double)scaled(x, y));
    printf("%g\n", (double)norm(3, 4));
}
