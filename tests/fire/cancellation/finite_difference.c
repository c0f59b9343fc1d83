// A difference quotient with too small a step; a wider central one is good to ten digits.
#include <math.h>
#include <stdio.h>

double forward(double x, double h) { return (sin(x + h) - sin(x)) / h; } //~ precision-loss: 36..46 bits lost
double central(double x, double h) { return (sin(x + h) - sin(x - h)) / (2 * h); }

int main(void) {
    volatile double x = 1, small = 1e-12, wide = 1e-5;
    printf("%.17g\n", forward(x, small));
    printf("%.17g\n", central(x, wide));
}
