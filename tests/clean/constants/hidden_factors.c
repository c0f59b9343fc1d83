// Decisions that hang on how a third was rounded, behind an operation whose result does not say by what it moves: a power of
// 1, a product and a quotient of 0, a product that an exact term is added to.
#include <math.h>
#include <stdio.h>

volatile double minus_three = -3, two = 2, three = 3, five = 5, one = 1;
volatile float three_float = 3, five_float = 5;

// Of the discriminant of x^3 - 3 x + 2, which has a double root.
__attribute__((noinline)) static int has_one_root(double c1, double c0, double power) {
    double q = c1 * (1.0 / 3.0), r = -0.5 * c0;
    return pow(q, power) + r * r > 0;
}

__attribute__((noinline)) static int is_less(double x) { return (x * (1.0 / 3.0) - one) * five < 0; }

__attribute__((noinline)) static int is_part_less(double x) { return (x * (1.0 / 3.0) - one) / five < 0; }

__attribute__((noinline)) static int is_less_fused(double x) { return fma(x * (1.0 / 3.0), five, -five) < 0; }

__attribute__((noinline)) static int is_more(float x) { return (x * (1.0f / 3.0f) - 1.0f) * five_float > 0; }

int main(void) {
    printf("%d\n", has_one_root(minus_three, two, three));
    printf("%d %d %d\n", is_less(three), is_part_less(three), is_less_fused(three));
    printf("%d\n", is_more(three_float));
}
