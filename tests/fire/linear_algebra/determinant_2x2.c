// nonius: scale=0,200,-200
// ad - bc of a nearly singular matrix; Kahan's fma form is right to 1.5 ulps. argv[1] scales.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double naive(double a, double b, double c, double d) { return a * d - b * c; } //~ precision-loss: 44..53 bits lost
double by_fma(double a, double b, double c, double d) {
    double w = b * c;
    return fma(a, d, -w) + fma(-b, c, w);
}

int main(int argc, char **argv) {
    int k = atoi(argv[argc - 1]);
    double a = ldexp(1 + 0x1p-30, k), d = ldexp(1 - 0x1p-30, k), b = ldexp(1, k), c = ldexp(1 - 0x1p-52, k);
    printf("%g\n", naive(a, b, c, d));
    printf("%g\n", by_fma(a, b, c, d));
}
