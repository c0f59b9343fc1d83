// 1 - cos(x) for a small angle; the half-angle form keeps every digit.
#include <math.h>
#include <stdio.h>

double naive(double x) { return (1 - cos(x)) / (x * x); } //~ precision-loss: 40..50 bits lost
double half_angle(double x) { return 0.5 * (sin(x / 2) / (x / 2)) * (sin(x / 2) / (x / 2)); }

int main(void) {
    volatile double x = 1e-7;
    printf("%.17g\n", naive(x));
    printf("%.17g\n", half_angle(x));
}
