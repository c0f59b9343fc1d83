// Kahan's (exp(x)-1)/x: numerator and denominator are both wrong, by the same factor.
#include <math.h>
#include <stdio.h>

static double f(double x) {
    double y = exp(x);
    return y == 1 ? 1 : (y - 1) / log(y);
}

int main(void) {
    volatile double xs[] = {1e-12, 3e-9, 1e-5, 0.5, 2};
    for (int i = 0; i < 5; i++) printf("%.15g\n", f(xs[i]));
}
