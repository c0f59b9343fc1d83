// Scaling by powers of two rounds nothing, nor does ldexp, frexp, or halving until one.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double in = 0.1;
    double x = in, y = x;
    int exponent, steps = 0;
    for (int i = 0; i < 300; i++) y *= 0.5;
    for (int i = 0; i < 300; i++) y *= 2;
    for (double z = 1; 1 + z != 1; z /= 2) steps++;
    printf("%g %g %g %d\n", y - x, ldexp(x, 100) * 0x1p-100 - x, ldexp(frexp(x, &exponent), exponent) - x, steps);
}
