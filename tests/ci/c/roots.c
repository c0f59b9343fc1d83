#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The smaller root of x^2 + b x + c. */
static double small_root(double b, double c) {
    double d = sqrt(b * b - 4 * c);
#ifdef FIXED
    return -2 * c / (b + d);
#else
    return (-b + d) / 2;
#endif
}

int main(int argc, char **argv) {
    double b = argc > 1 ? atof(argv[1]) : 1e8;
    printf("%.17g\n", small_root(b, 1));
    return 0;
}
