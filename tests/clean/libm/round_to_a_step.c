// Angles that are rounded to a step of 2^-57 (GeographicLib), and exponents to a 128th (the tables of exp).
#include <stdio.h>
#include <math.h>
__attribute__((noinline)) static double ang_round(double x) {
    const double z = 1 / 16.0;
    volatile double y = fabs(x);
    y = y < z ? z - (z - y) : y;
    return x < 0 ? -y : y;
}
__attribute__((noinline)) static double ang_round2(double x) {
    const double z = 1 / 16.0;
    double y = fabs(x), w = z - y;
    y = w > 0 ? z - w : y;
    return copysign(y, x);
}
__attribute__((noinline)) static double exp_shift(double x) {
    double kd = x * 1.44269504088896338700e+00 * 128 + 0x1.8p52;
    double k = kd - 0x1.8p52;
    double kd2 = x + 0x1.8p45, k2 = kd2 - 0x1.8p45;
    return k / 128 + k2;
}
int main(void) {
    volatile double in[] = {1e-20, 3e-18, 0.05, 0.3, 45, -1e-19, 0.1 / 3};
    for (int i = 0; i < 7; i++) {
        double a = ang_round(in[i]), b = ang_round2(in[i] * 7 / 3);
        if (sin(a) == 0) printf("zero ");
        if (b == 0) printf("zero ");
        printf("%.17g %.17g %.17g\n", a, b, exp_shift(in[i]));
    }
}
