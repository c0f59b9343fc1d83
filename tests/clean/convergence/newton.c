// Newton's method with a relative stopping test: the last step is all rounding, and only compared.
#include <math.h>
#include <stdio.h>

static double root(double a, double x) {
    double next = x, step;
    do {
        x = next;
        step = (x * x - a) / (2 * x);
        next = x - step;
    } while (fabs(step) > 1e-12 * next);
    return next;
}

int main(void) {
    volatile double a = 2;
    printf("%.15g %.15g %.15g\n", root(a, 1), root(a * 5, 3), root(1e10, 3e4));
}
