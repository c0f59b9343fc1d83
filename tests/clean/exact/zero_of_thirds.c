// (3 n/3)^2 - n^2 is 0, and where the program gets 0 that is right: what is left of the residues, which cancel too, is noise.
#include <stdio.h>

volatile double sink;

__attribute__((noinline)) void difference(double three, double n) {
    double third = n / 3.0;
    double square = three * three * third * third;
    double zero = square - n * n;
    if (zero == 0) sink = zero;
}

int main(void) {
    volatile double three = 3;
    for (int n = 1; n < 2000; n++) {
        double third = n / 3.0;
        if (three * three * third * third == (double)n * n) difference(three, n);
    }
    printf("%g\n", sink);
    return 0;
}
