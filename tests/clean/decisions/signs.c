// Odd functions give their result the sign of their argument, which is as small; the lesser of two that are nearly the same;
// and a bound of 0 for what is rounding error.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double third = 1.0 / 3, one = 1;
    double nothing = third * 3 - one, other = one - third - third - third;
    double soft = copysign(fabs(nothing) / (1 + fabs(nothing)), nothing);
    double steep = copysign(fabs(other) / (1 + fabs(other)), other);
    printf("%.3f %.3f\n", 1 + soft, 1 + steep);
    printf("%.6f %.6f\n", fmin(third * 3, one), fmax(third + third + third, one));
    printf("%.6f\n", 1 + sqrt(fmax(nothing, 0.0)));
    printf("%g %d\n", copysign(2.0, -third), signbit(-third) != 0);
}
