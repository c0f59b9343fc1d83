// The C library moves bytes by many names. What is written over by it has no error any more.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NOINLINE __attribute__((noinline))

NOINLINE double by_mempcpy(double *from, double big) {
    double to[2];
    char *end = mempcpy(to, from, sizeof to[0]);
    mempcpy(end, from + 1, sizeof to[0]);
    return to[1] - big; //~ precision-loss: 52..53 bits lost @return
}
NOINLINE double by_bcopy(double *from, double big) {
    double to[2];
    bcopy(from, to, sizeof to);
    return to[1] - big; //~ precision-loss: 52..53 bits lost @return
}
NOINLINE double by_growing(double big, double small) {
    double *a = malloc(2 * sizeof *a);
    a[1] = big + small;
    a = reallocarray(a, 100000, sizeof *a);
    double got = a[1] - big; //~ precision-loss: 52..53 bits lost
    free(a);
    return got;
}
// 0 comes from the function, not from what was there before.
NOINLINE double by_bzero(double *at) {
    bzero(at, sizeof *at);
    return at[0];
}

int main(void) {
    volatile double big = 1e17, small = 3;
    double a[2] = {1, big + small};
    printf("%d\n", by_mempcpy(a, big) + by_bcopy(a, big) + by_growing(big, small) < 1); //~ branch-flip
    double sum = big + small;
    printf("%g\n", by_bzero(&sum));
    return 0;
}
