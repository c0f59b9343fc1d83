// Variable-length arrays and alloca: stack memory whose size is known at run time only.
#include <alloca.h>
#include <stdio.h>

__attribute__((noinline)) double last(const double *a, int n) { return a[n - 1]; }

int main(void) {
    volatile double big = 1e17, small = 3;
    volatile int n = 7;
    double a[n], *b = alloca(n * sizeof *b);
    for (int i = 0; i < n; i++) a[i] = b[i] = big + small;
    printf("%g\n", last(a, n) - big); //~ precision-loss: 52..53 bits lost
    printf("%g\n", last(b, n) - big); //~ precision-loss: 52..53 bits lost
}
