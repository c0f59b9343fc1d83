// The remainder of x by pi/2 in two words (Cody and Waite, as in musl's __rem_pio2): the second word is what the first lost.
#include <stdio.h>
#include <stdint.h>
#include <float.h>
static const double toint = 1.5 / DBL_EPSILON, invpio2 = 6.36619772367581382433e-01, pio2_1 = 1.57079632673412561417e+00,
    pio2_1t = 6.07710050650619224932e-11, pio2_2 = 6.07710050630396597660e-11, pio2_2t = 2.02226624879595063154e-21,
    pio2_3 = 2.02226624871116645580e-21, pio2_3t = 8.47842766036889956997e-32;
__attribute__((noinline)) static int rem_pio2(double x, double *y) {
    union { double f; uint64_t i; } u = {x};
    double z, w, t, r, fn;
    uint32_t ix = u.i >> 32 & 0x7fffffff;
    int ex, ey, n, sign = u.i >> 63;
    if (ix <= 0x400f6a7a && (ix & 0xfffff) != 0x921fb) {
        if (ix <= 0x4002d97c) {
            if (!sign) { z = x - pio2_1; y[0] = z - pio2_1t; y[1] = (z - y[0]) - pio2_1t; return 1; }
            z = x + pio2_1; y[0] = z + pio2_1t; y[1] = (z - y[0]) + pio2_1t; return -1;
        }
        if (!sign) { z = x - 2 * pio2_1; y[0] = z - 2 * pio2_1t; y[1] = (z - y[0]) - 2 * pio2_1t; return 2; }
        z = x + 2 * pio2_1; y[0] = z + 2 * pio2_1t; y[1] = (z - y[0]) + 2 * pio2_1t; return -2;
    }
    fn = x * invpio2 + toint - toint;
    n = (int32_t)fn;
    r = x - fn * pio2_1;
    w = fn * pio2_1t;
    y[0] = r - w;
    u.f = y[0];
    ey = u.i >> 52 & 0x7ff;
    ex = ix >> 20;
    if (ex - ey > 16) {
        t = r; w = fn * pio2_2; r = t - w; w = fn * pio2_2t - ((t - r) - w); y[0] = r - w;
        u.f = y[0];
        ey = u.i >> 52 & 0x7ff;
        if (ex - ey > 49) {
            t = r; w = fn * pio2_3; r = t - w; w = fn * pio2_3t - ((t - r) - w); y[0] = r - w;
        }
    }
    y[1] = (r - y[0]) - w;
    return n;
}
__attribute__((noinline)) static double k_sin(double x, double y) {
    double z = x * x, v = z * x, r = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06);
    return x - ((z * (0.5 * y - v * r) - y) - v * -1.66666666666666324348e-01);
}
int main(void) {
    volatile double in[] = {3.141592025756836, 3.141592979431152, 2.0, 1.0, -2.5, 100.5, 3.5, 1000.25, 1.5707963267948966, 12345.678, 3.141592653589793};
    for (int i = 0; i < 11; i++) {
        double y[2];
        int n = rem_pio2(in[i], y);
        printf("%d %.17g %.17g\n", n, y[0], k_sin(y[0], y[1]));
        if (y[1] == -2.1125998133974653e-23) printf("same\n");
        if (y[1] < 0) printf("below\n");
    }
}
