// A contracting iteration forgets its rounding errors; it runs a fixed number of steps.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double start = 1;
    double x = start;
    for (int i = 0; i < 100; i++) x = cos(x);
    printf("%.15g\n", x);
}
