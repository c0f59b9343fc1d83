// Guaranteed tail calls hand the shadows of their arguments on.
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

NOINLINE static double finish(double sum, double big, int n) { return n ? sum - big : n; } //~ precision-loss: 52..53 bits lost
NOINLINE static double step(double sum, double big, int n) {
    if (n > 0) __attribute__((musttail)) return step(sum, big, n - 1);
    __attribute__((musttail)) return finish(sum, big, n + 1);
}

int main(void) {
    volatile double big = 1e17, small = 3;
    printf("%g\n", step(big + small, big, 5));
}
