// The sign bit of a value with an error flipped through a char pointer: the old residue must not be used.
#include <stdio.h>

__attribute__((noinline)) static void negate(double *v) { *((unsigned char *)v + 7) ^= 0x80; }

__attribute__((noinline)) static double example(double v) {
    double d = v / 0.2 + 3;
    negate(&d);
    return d;
}

int main(void) {
    volatile double v = 0.6;
    printf("%.15g\n", example(v));
    printf("%.15g\n", example(v) * example(v));
}
