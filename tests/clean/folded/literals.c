// Arithmetic on literals that comes out right: stable forms, exact sums, compensated sums.
#include <math.h>
#include <stdio.h>

static double versine(double x) {
    double s = sin(x / 2);
    return 2 * s * s / (x * x);
}
static double two_sum_error(double a, double b) {
    double s = a + b, bb = s - a;
    return (a - (s - bb)) + (b - bb);
}

int main(void) {
    printf("%.17g\n", versine(1e-9));
    printf("%.17g\n", 2 * sin(0.5e-9) * sin(0.5e-9) / 1e-18);
    double big = 1e16, one = 1;
    double sum = big + one;
    printf("%.17g\n", sum + two_sum_error(big, one) - big + 1e10);
    printf("%.17g\n", expm1(1e-12));
    double x = 3, y = 4;
    printf("%.17g\n", sqrt(x * x + y * y) - 5 + 1);
    if (sqrt(4.0) * sqrt(4.0) == 4.0)
        puts("equal");
    return 0;
}
