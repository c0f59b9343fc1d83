// A double-double quotient whose remainder is rounded before it is taken: the low word is wrong, and the quotient no better
// than a double. Beside it the remainder in one rounding.
#include <math.h>
#include <stdio.h>

typedef struct {
    double hi, lo;
} dd;

__attribute__((noinline)) static dd fast_two_sum(double a, double b) {
    double s = a + b, z = s - a;
    return (dd){s, b - z};
}

__attribute__((noinline)) static dd inverse(dd y) {
    double t = 1.0 / y.hi;
    double r = fma(-y.hi, t, 1.0) - y.lo * t;
    return fast_two_sum(t, r * t);
}

__attribute__((noinline)) static dd inverse_badly(dd y) {
    double t = 1.0 / y.hi;
    double product = y.hi * t;
    double r = (1.0 - product) - y.lo * t; //~ precision-loss: 52..53 bits lost
    return fast_two_sum(t, r * t);
}

int main(void) {
    volatile double high = 49.0, low = 0x1p-49;
    dd y = fast_two_sum(high, low);
    printf("%.17g %.17g\n", inverse(y).hi, inverse_badly(y).hi);
}
