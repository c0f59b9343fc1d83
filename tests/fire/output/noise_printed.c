// A value that is pure rounding error is silent while it is stored and passed, but not when it is printed: the finding
// names what made it, and where it was printed.
#include <stdio.h>

static double kept;

__attribute__((noinline)) static double noise(double a, double b) { return ((a + b) - a) - b; } //~ precision-loss: 52..53 bits lost @output
__attribute__((noinline)) static void keep(double x) { kept = x; }

int main(void) {
    volatile double a = 0.7, b = 0.1;
    keep(noise(a, b));
    printf("%g\n", kept); //~ precision-loss: 52..53 bits lost @output
}
