// Complex values: returned in two registers, multiplied part by part.
#include <complex.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

NOINLINE double complex add(double complex a, double complex b) { return a + b; }
NOINLINE double rest(double complex a, double b) { return cimag(a) - b; } //~ precision-loss: 52..53 bits lost
NOINLINE double square(double complex a) { return creal(a * a); }         //~ precision-loss: 45..53 bits lost

int main(void) {
    volatile double big = 1e17, small = 3, x = 1.9, y = 1.9 + 0x1p-52;
    double complex a = __builtin_complex(0.0, big), b = __builtin_complex(1.0, small);
    printf("%g\n", rest(add(a, b), big));
    printf("%g\n", square(__builtin_complex(x, y)));
    printf("%g\n", square(__builtin_complex(3.0, 2.0)));
}
