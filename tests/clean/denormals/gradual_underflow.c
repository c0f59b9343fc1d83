// A decay that ends among the subnormals: a rounding there is an ulp, however large a part of the value.
#include <stdio.h>

int main(void) {
    volatile double start = 1e-300, factor = 0.7;
    double x = start, sum = 0;
    for (int i = 0; i < 120; i++) {
        x *= factor;
        sum += x;
    }
    printf("%g %d\n", sum, x > 0);
}
