// A block that grows and moves takes its shadows with it.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    volatile double big = 1e17, small = 3;
    volatile size_t huge = 1 << 22;
    double *a = malloc(4 * sizeof *a);
    a[0] = 1;
    a[3] = big + small;
    a = realloc(a, huge);
    printf("%g\n", a[3] - big); //~ precision-loss: 52..53 bits lost
    printf("%g\n", a[0] - 1);
    free(a);
}
