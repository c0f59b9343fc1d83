// Small idioms: abs, min, max, clamp, lerp, sign, rounding, swaps, ternaries, increments of floats.
#include <math.h>
#include <stdio.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))

__attribute__((noinline)) static double mixed(double x, float y, int n) {
    double r = MIN(x, y);
    r += x < 0 ? -x : x;
    r -= n & 1 ? y++ : --y;
    r *= !x ? 1 : (x > 0) - (x < 0);
    r = r > 3 ? 3 : r < -3 ? -3 : r;
    r += x * (1 - y) + y * (float)n;
    return r - floor(r) + (x < 1e9 ? (int)(x + 0.5) : 0) + -y;
}

int main(void) {
    volatile double xs[] = {0, -0.0, 0.4, -2.5, 1e10, 7};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) printf("%a\n", mixed(xs[i], (float)xs[j] * 0.3f, i + j));
}
