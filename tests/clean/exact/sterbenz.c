// Exact cancellation: operands that are exact themselves lose nothing however close they are.
#include <stdio.h>

int main(void) {
    volatile double a = 1 + 0x1p-52, b = 1, c = 1e15 + 0.125, d = 1e15;
    printf("%g %g %g\n", a - b, c - d, (a - b) * 0x1p52);
    printf("%g\n", (a * 4 - b * 4) / 4);
}
