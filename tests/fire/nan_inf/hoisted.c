// The division does not change in the loop and is computed ahead of it. Where the loop uses it, it counts.
#include <stdio.h>

__attribute__((noinline)) void shift(double *x, int n, double moment, double mass, int wanted) {
    for (int i = 0; i < n; i++) {
        if (wanted) x[i] -= moment / mass; //~ nan
    }
}

int main(void) {
    volatile double zero = 0, one = 1;
    double x[3] = {1, 2, 3};
    shift(x, 3, zero, zero, 0);
    shift(x, 3, one, one, 1);
    printf("%g %g %g\n", x[0], x[1], x[2]);
    shift(x, 3, zero, zero, 1);
    return 0;
}
