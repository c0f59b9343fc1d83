// Overlapping memmove shifts shadows along with the values.
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) void shift(double *a, int by, int n) { memmove(a + by, a, n * sizeof *a); }

int main(void) {
    volatile double big = 1e17, small = 3;
    double a[8] = {1, big + small, 2, 3, 4, 5, 6, 7};
    shift(a, 3, 5);
    printf("%g\n", a[4] - big); //~ precision-loss: 52..53 bits lost
    printf("%g\n", a[1] - big); //~ precision-loss: 52..53 bits lost
    printf("%g\n", a[3] - 1);
}
