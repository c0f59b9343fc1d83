// The same with a tolerance; rounding errors away from the steps; large numbers, which are integers; and the reduction of an
// exponential's argument, where the integer beside would do as well.
#include <math.h>
#include <stdio.h>

double sum_of(double part, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += part;
    return sum;
}

double exponential(double x) {
    double k = rint(x * 1.4426950408889634), r = x - k * 0.6931471805599453;
    double term = 1, sum = 1;
    for (int i = 1; i < 20; i++) sum += term *= r / i;
    return ldexp(sum, (int)k);
}

int main(void) {
    volatile double tenth = 0.1, third = 1.0 / 3;
    double one = sum_of(tenth, 10), half = sum_of(tenth, 155);
    printf("%g %g %g\n", floor(one + 1e-9), ceil(-one - 1e-9), trunc(one + 1e-9));
    printf("%g %g %g\n", round(half + 1e-9), rint(half + 1e-9), logb(one + 1e-9));
    printf("%g %g %g\n", floor(third * 10), ceil(third * 10), round(third * 10));
    double large = 1e17 * third * 3;
    printf("%g %g\n", floor(large), large - floor(large));
    for (double x = -2.1; x < 2; x += third) printf("%.6f\n", exponential(x));
}
