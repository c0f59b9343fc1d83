// Cody and Waite's argument reduction with fma: pi/2 in two parts, the quotient rounded on purpose.
#include <math.h>
#include <stdio.h>

static double reduce(double x) {
    double k = rint(x * 0.63661977236758138);
    double r = fma(-k, 1.5707963267948966, x);
    return fma(-k, 6.123233995736766e-17, r);
}

int main(void) {
    volatile double xs[] = {3, 10.25, 100.5, 2000.75};
    for (int i = 0; i < 4; i++) printf("%.15g\n", reduce(xs[i]));
}
