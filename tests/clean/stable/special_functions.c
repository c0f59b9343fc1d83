// The functions that exist to avoid a cancellation: log1p, expm1, hypot, fma.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double x = 1e-14, y = 1e9;
    printf("%.17g %.17g\n", log1p(x), expm1(x));
    printf("%.17g %.17g\n", hypot(y, 1), 1 / (hypot(y, 1) + y));
    printf("%.17g\n", y * log1p(1 / y));
    printf("%.17g\n", -2 * sin(x / 2) * sin(x / 2));
}
