// b*b - 4*a*c of a nearly double root: each product is rounded, their difference is that rounding.
#include <math.h>
#include <stdio.h>

double naive(double a, double b, double c) { return b * b - 4 * a * c; } //~ precision-loss: 45..53 bits lost
double by_fma(double a, double b, double c) {
    double p = 4 * a * c, error = fma(4 * a, c, -p);
    return fma(b, b, -p) - error;
}

int main(void) {
    // b*b and 4*a*c agree in their first 50 bits, and are rounded at the 53rd; the true difference is 7.5625.
    volatile double a = 94906265.625, b = 189812534.0, c = 94906268.375;
    printf("%.17g\n", naive(a, b, c));
    printf("%.17g\n", by_fma(a, b, c));
}
