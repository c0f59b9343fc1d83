// Rounding by a shift is meant; what it is given here is wrong by more than half a step, and so is the integer.
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static double to_integer(double x) {
    double shifted = x + 0x1p52;
    return shifted - 0x1p52; //~ precision-loss: 49..52 bits lost
}
__attribute__((noinline)) static double to_quarter(double x) {
    double shifted = x + 0x1.8p50;
    return shifted - 0x1.8p50; //~ precision-loss: 49..52 bits lost
}

int main(void) {
    volatile double big = 1e17, part = 37.3;
    double sum = big + part;
    // 32 for 37.3.
    double wrong = sum - big; //~ precision-loss: 49..52 bits lost
    printf("%g %g\n", to_integer(wrong), to_quarter(wrong));
    // Right to half a step.
    printf("%g %g\n", to_integer(part), to_quarter(part));
}
