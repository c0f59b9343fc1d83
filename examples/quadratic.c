// The small root of x^2 + bx + 1 by the formula from school.
// For a large b, -b and the square root nearly cancel: what is left is mostly the rounding
// error of the square root. Another b: nonius check examples/quadratic.c -- 1e5
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double small_root(double b, double c) {
    double d = sqrt(b * b - 4 * c);
    return (-b + d) / 2;
}

int main(int argc, char **argv) {
    double b = argc > 1 ? atof(argv[1]) : 1e8;
    printf("x^2 + %g x + 1 = 0 at x = %.17g\n", b, small_root(b, 1));
}
