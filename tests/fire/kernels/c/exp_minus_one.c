// nonius: opt=O0,O2
// exp(x) - 1 of a small x keeps few digits; a series keeps them all.
#include <math.h>
#include <stdio.h>

double naive(double x) { return exp(x) - 1; } //~ precision-loss: 40..53 bits lost
double series(double x) { return x * (1 + x / 2 * (1 + x / 3)); }

int main(void) {
    volatile double x = 1.7e-13;
    printf("%.17g %.17g\n", naive(x), series(x));
}
