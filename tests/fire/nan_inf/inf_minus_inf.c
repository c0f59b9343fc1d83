// Two overflows, and their difference: each infinity is reported where it arose, and so is the NaN.
#include <stdio.h>

__attribute__((noinline)) double square(double x) { return x * x; } //~ inf @operation
__attribute__((noinline)) double minus(double a, double b) { return a - b; } //~ nan @operation

int main(void) {
    volatile double x = 1e200, y = 2e200;
    double d = minus(square(x), square(y));
    printf("%g\n", d + 1); // an operand that is NaN already is not a new finding
}
