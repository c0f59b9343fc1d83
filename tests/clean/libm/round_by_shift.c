// How mathematical libraries (here after musl) round to an integer: adding 2^52 and taking it away again.
#include <stdio.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
static const double toint = 1 / DBL_EPSILON;
__attribute__((noinline)) static double my_rint(double x) {
    union { double f; uint64_t i; } u = {x};
    int e = u.i >> 52 & 0x7ff, s = u.i >> 63;
    double y;
    if (e >= 0x3ff + 52) return x;
    if (s) y = x - toint + toint;
    else y = x + toint - toint;
    if (y == 0) return s ? -0.0 : 0;
    return y;
}
__attribute__((noinline)) static double my_floor(double x) {
    union { double f; uint64_t i; } u = {x};
    int e = u.i >> 52 & 0x7ff;
    double y;
    if (e >= 0x3ff + 52 || x == 0) return x;
    if (u.i >> 63) y = x - toint + toint - x;
    else y = x + toint - toint - x;
    if (e <= 0x3ff - 1) return u.i >> 63 ? -1 : 0;
    if (y > 0) return x + y - 1;
    return x + y;
}
__attribute__((noinline)) static double my_round(double x) {
    union { double f; uint64_t i; } u = {x};
    int e = u.i >> 52 & 0x7ff;
    double y;
    if (e >= 0x3ff + 52) return x;
    if (u.i >> 63) x = -x;
    if (e < 0x3ff - 1) return 0 * u.f;
    y = x + toint - toint - x;
    if (y > 0.5) y = y + x - 1;
    else if (y <= -0.5) y = y + x + 1;
    else y = y + x;
    if (u.i >> 63) y = -y;
    return y;
}
__attribute__((noinline)) static float my_rintf(float x) {
    static const float to = 1 / FLT_EPSILON;
    float y;
    if (x < 0) y = x - to + to; else y = x + to - to;
    return y == 0 ? 0 : y;
}
int main(void) {
    volatile double in[] = {0.1, 0.3, 1.4999, 2.5, 1e5 / 3, -0.1, -3.7, -0.5};
    double sum = 0;
    for (int i = 0; i < 8; i++) {
        double x = in[i];
        printf("%g %g %g %g %g\n", my_rint(x), my_floor(x), my_round(x), my_rintf(x), my_rint(x / 3 * 7));
        sum += my_rint(x);
    }
    printf("%g\n", sum);
}
