// nonius: raw=raw.c
// Code that was not instrumented overwrites values that had errors.
#include <stdio.h>

void raw_scale(double *a, int n, double factor);
void raw_swap(double *a, double *b);

int main(void) {
    volatile double big = 1e17, small = 3;
    double a[8];
    for (int i = 0; i < 8; i++) a[i] = big + small + 64 * i;
    raw_scale(a, 8, 2);
    printf("%g\n", a[3] - 2 * big);
    raw_swap(&a[0], &a[7]);
    printf("%g\n", a[0] - a[7]);
}
