// Exponent and fraction taken apart and put together through a union.
#include <stdint.h>
#include <stdio.h>

union bits { double d; uint64_t u; };

static double fraction(double x, int *exponent) {
    union bits b = {x};
    *exponent = (int)(b.u >> 52 & 0x7ff) - 1022;
    b.u = (b.u & ~(0x7ffull << 52)) | 1022ull << 52;
    return b.d;
}

int main(void) {
    volatile double xs[] = {0.1, 3, 1e300, 7e-200};
    for (int i = 0; i < 4; i++) {
        int e;
        double f = fraction(xs[i] / 3 + xs[i], &e);
        printf("%.17g %d\n", f, e);
    }
}
