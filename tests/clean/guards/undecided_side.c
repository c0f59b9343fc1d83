// The right sides of && and || are computed early, because nothing keeps them from it, and then not asked: a division by
// 0, and a comparison that ideally has another outcome.
#include <float.h>
#include <math.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

NOINLINE int product_is_finite(double x, double y) {
    const double low = fmin(fabs(x), fabs(y)), high = fmax(fabs(x), fabs(y));
    return high < 1e154 || low < DBL_MAX / high;
}
NOINLINE int when_enabled(int enabled, double x, double y) {
    double sum = x + y;
    return enabled && sum - x < y;
}
NOINLINE int unless_disabled(int disabled, double x, double y) {
    double sum = x + y;
    return disabled || sum - x < y;
}

int main(void) {
    volatile double zero = 0, tiny = 1e-9, tenth = 0.1;
    volatile int off = 0, on = 1;
    printf("%d\n", product_is_finite(zero, zero));
    printf("%d %d\n", when_enabled(off, tenth, tiny), unless_disabled(on, tenth, tiny));
    return 0;
}
