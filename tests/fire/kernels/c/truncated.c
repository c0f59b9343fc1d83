// nonius: opt=O0,O2,O2-lto,O2-thin
// A quotient that should be whole is truncated to the integer below; rounding is right.
#include <math.h>
#include <stdio.h>

int truncated(double x, double step) { return (int)(x / step); } //~ cast-flip
int rounded(double x, double step) { return (int)floor(x / step + 0.5); }

int main(void) {
    volatile double ten = 10;
    double x = 6 / ten, step = 2 / ten;
    printf("%d %d\n", truncated(x, step), rounded(x, step));
}
