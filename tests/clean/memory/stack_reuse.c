// nonius: opt=O0,O2,O3,O2-lto,O3-thin
// A stack slot that held errors is used by another function for other values.
#include <stdio.h>

__attribute__((noinline)) static void leave_errors(double big, double small, volatile double *sink) {
    volatile double a[32];
    for (int i = 0; i < 32; i++) a[i] = big + small;
    *sink = a[7];
}
__attribute__((noinline)) static double use_exact(double big) {
    volatile double a[32];
    for (int i = 0; i < 32; i++) a[i] = big;
    return a[7] - big;
}

int main(void) {
    volatile double big = 1e17, small = 3, sink;
    leave_errors(big, small, &sink);
    printf("%g\n", use_exact(big));
}
