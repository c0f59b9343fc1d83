// A value compared with itself, zero with zero, and results of the same computation.
#include <math.h>
#include <stdio.h>

static double f(double x) { return sqrt(x) * sqrt(x) - x; }

int main(void) {
    volatile double x = 0.7, zero = 0;
    double a = exp(x) / 3, b = exp(x) / 3;
    int n = (a == b) + (zero == -zero) + (f(x) == f(x)) + (a >= b) + !(a != a);
    printf("%d\n", n);
}
