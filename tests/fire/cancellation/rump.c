// Rump's polynomial: terms of 1e36 cancel to about -0.83, and no double digit survives.
#include <stdio.h>

int main(void) {
    volatile double in_a = 77617, in_b = 33096;
    double a = in_a, b = in_b, bb = b * b, b4 = bb * bb, b6 = b4 * bb;
    printf("%g\n", 333.75 * b6 + a * a * (11 * a * a * bb - b6 - 121 * b4 - 2) + 5.5 * b4 * b4 + a / (2 * b)); //~ precision-loss: 50..53 bits lost @output
}
