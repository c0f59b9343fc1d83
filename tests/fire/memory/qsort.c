// The C library's qsort moves elements in code that was not instrumented.
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void) {
    volatile double big = 1e17, small = 3;
    double a[30];
    for (int i = 0; i < 30; i++) a[i] = (i * 7) % 30;
    a[11] = big + small;
    qsort(a, 30, sizeof a[0], compare);
    printf("%g\n", a[29] - big); //~ precision-loss: 52..53 bits lost
    printf("%g\n", a[28] - a[27]);
}
