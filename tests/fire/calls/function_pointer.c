// The same operations through pointers, chosen at run time.
#include <math.h>
#include <stdio.h>

typedef double (*binary)(double, double);

__attribute__((noinline)) static double plus(double a, double b) { return a + b; }
__attribute__((noinline)) static double minus(double a, double b) { return a - b; } //~ precision-loss: 52..53 bits lost

int main(void) {
    volatile double big = 1e17, small = 3, angle = 1e-9;
    binary volatile table[] = {plus, minus};
    printf("%g\n", table[1](table[0](big, small), big));
    double (*volatile function)(double) = cos;
    printf("%g\n", function(angle));
}
