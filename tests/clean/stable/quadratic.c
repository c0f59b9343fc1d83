// nonius: scale=0,300,-300
// Both roots of a quadratic without cancellation; the coefficients may be scaled together.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void roots(double a, double b, double c, double *x) {
    double q = -0.5 * (b + copysign(sqrt(b * b - 4 * a * c), b));
    x[0] = q / a;
    x[1] = c / q;
}

int main(int argc, char **argv) {
    int k = atoi(argv[argc - 1]);
    double x[2];
    roots(ldexp(1, k), ldexp(1e8, k), ldexp(1, k), x);
    printf("%.17g %.17g\n", x[0], x[1]);
    roots(ldexp(2, k), ldexp(-7, k), ldexp(3, k), x);
    printf("%.17g %.17g\n", x[0], x[1]);
}
