// A sum that is tested for being finite by `s - s` is rounded like any other: what it lost is missed where it cancels.
#include <stdio.h>

static int finite;

__attribute__((noinline)) static double rest(double a, double b) {
    double s = a + b;
    finite = s - s == 0;
    return s - a; //~ precision-loss: 52..53 bits lost
}

int main(void) {
    volatile double a = 1e17, b = 3;
    printf("%g", rest(a, b));
    printf(" %d\n", finite);
}
