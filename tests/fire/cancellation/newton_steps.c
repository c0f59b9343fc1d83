// Steps of Newton's that correct nothing: the product is rounded before it is taken from the number, and what is left is the rounding error
// of that. And a root that is corrected well, of a number that is not good enough for what follows. In clean/compensated/newton_steps
// the same is right.
#include <math.h>
#include <stdio.h>

#define FUNCTION __attribute__((noinline)) static

typedef struct {
    double hi, lo;
} dd;

FUNCTION dd sum(double a, double b) {
    double s = a + b, bb = s - a;
    return (dd){s, (a - (s - bb)) + (b - bb)};
}

FUNCTION dd quotient(double hi, double lo, double y) {
    double q = hi / y;
    double rest = (hi - q * y) + lo;
    return sum(q, rest / y); //~^ precision-loss: 50..53 bits lost @argument
}

FUNCTION dd root(double hi, double lo) {
    double y = sqrt(hi);
    double rest = (hi - y * y) + lo;
    return sum(y, rest / (2 * y)); //~^ precision-loss: 50..53 bits lost @argument
}

FUNCTION dd good_root(double hi, double lo) {
    double y = sqrt(hi);
    double rest = fma(-y, y, hi) + lo;
    return sum(y, rest / (2 * y));
}

int main(void) {
#pragma STDC FP_CONTRACT OFF
    volatile double divisor = 49.0, large = 1e9, part = 1.0 / 3;
    for (int i = 2; i < 12; i++) {
        dd q = quotient(i, i * 1e-17, divisor), r = root(i, i * 1e-17);
        printf("%.15g %.15g\n", q.hi + q.lo, r.hi + r.lo);
    }
    // Seven digits of a third, then nine of its root taken away.
    double rough = (large + part) - large;
    dd r = good_root(rough, 0);
    printf("%.15g\n", r.hi);
    printf("%.15g\n", (r.hi - 0.577350) + r.lo); //~ precision-loss: 45..53 bits lost
}
