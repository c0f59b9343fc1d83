// exp as libraries write it: shift trick, two-part ln 2, polynomial, scaling by bits.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SHIFT 6755399441055744.0

static double my_exp(double x) {
    double shifted = x * 1.4426950408889634 + SHIFT, k = shifted - SHIFT;
    double r = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
    double p = 1 + r * (1 + r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720))))));
    uint64_t bits = (uint64_t)((int64_t)k + 1023) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return p * scale;
}

int main(void) {
    volatile double xs[] = {0.1, 1, -3.5, 20.25};
    for (int i = 0; i < 4; i++) printf("%.6g\n", my_exp(xs[i]));
}
