// tan(x) - sin(x) is of third order where both terms are of first order.
#include <math.h>
#include <stdio.h>

double naive(double x) { return (tan(x) - sin(x)) / (x * x * x); } //~ precision-loss: 36..46 bits lost
double stable(double x) { return tan(x) * 2 * sin(x / 2) * sin(x / 2) / (x * x * x); }

int main(void) {
    volatile double x = 1.1e-6;
    printf("%.17g\n", naive(x));
    printf("%.17g\n", stable(x));
}
