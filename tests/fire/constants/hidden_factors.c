// Flips that no rounding of the third accounts for, in the same shapes as the decisions of the twin.
#include <math.h>
#include <stdio.h>

volatile double minus_three = -3, two = 2, three = 3, five = 5, one = 1, tiny = 1e-16;
volatile int n = 50;

// The discriminant of x^3 - 3 x + c0, to which terms are added that are too small to change it.
__attribute__((noinline)) static int has_one_root(double c1, double c0, double power) {
    for (int i = 0; i < n; i++) c0 += tiny;
    double q = c1 * (1.0 / 3.0), r = -0.5 * c0;
    double d = pow(q, power) + r * r;
    return d > 0; //~ branch-flip @branch
}

__attribute__((noinline)) static int is_more(double product) {
    for (int i = 0; i < n; i++) product += tiny;
    return (product - one) * five > 0; //~ branch-flip @branch
}

__attribute__((noinline)) static int is_more_fused(double product) {
    for (int i = 0; i < n; i++) product += tiny;
    return fma(product, five, -five) > 0; //~ branch-flip @branch
}

int main(void) {
    printf("%d\n", has_one_root(minus_three, two, three));
    printf("%d %d\n", is_more(three * (1.0 / 3.0)), is_more_fused(three * (1.0 / 3.0)));
}
