// NaNs and infinities that a library makes to answer what has no number, and that its caller tests for.
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static double invalid(double x) { return (x - x) / (x - x); }
__attribute__((noinline)) static double invalid_by_zero(double x) { return (x - x) / 0.0; }
__attribute__((noinline)) static double pole(double x) { return 1 / (x - x); }
__attribute__((noinline)) static double divided_by_zero(int sign) {
    volatile double one = sign ? -1.0 : 1.0;
    return one / 0.0;
}
__attribute__((noinline)) static double too_large(double s) {
    static const double huge = 1e300;
    return s * huge * huge;
}
__attribute__((noinline)) static float too_large_float(float s) { return s * 0x1p97f * 0x1p97f; }
__attribute__((noinline)) static double my_log(double x) {
    if (x == 0) return -1 / 0.0;
    if (x < 0) return (x - x) / 0.0;
    // So that x is inexact in the processor's flags.
    volatile double raised = x + 0x1p120;
    (void)raised;
    return log(x);
}

int main(void) {
    volatile double in[] = {2, -1, 0};
    int nans = isnan(invalid(in[0])) + isnan(invalid_by_zero(in[0])) + isnan(my_log(in[1]));
    int infinities = isinf(pole(in[0])) + isinf(divided_by_zero(1)) + isinf(my_log(in[2])) + (my_log(in[0]) > 0);
    infinities += (too_large(-1) == -INFINITY) + (isinf(too_large_float(1)) != 0);
    printf("%d %d\n", nans, infinities > 5);
}
