// A small term beside a big one vanishes in every order but the one that cancels the big ones first.
// nonius: scale=0,300,-300
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

NOINLINE double left(double big, double small) { return (big + small) - big; } //~ precision-loss: 52..53 bits lost
NOINLINE double right(double big, double small) { return (small + big) - big; } //~ precision-loss: 52..53 bits lost
NOINLINE double inner(double big, double small) { return big - (big - small); } //~ precision-loss: 52..53 bits lost
NOINLINE double swapped(double big, double small) { return (small - big) + big; } //~ precision-loss: 52..53 bits lost
NOINLINE double doubled(double big, double small) { return (big + small) - (big - small); } //~ precision-loss: 52..53 bits lost
NOINLINE double good(double big, double small) { return (big - big) + small; }
int main(int argc, char **argv) {
    int k = atoi(argv[argc - 1]);
    double big = ldexp(1e17, k), small = ldexp(1, k);
    printf("%g\n", left(big, small));
    printf("%g\n", right(big, small));
    printf("%g\n", inner(big, small));
    printf("%g\n", swapped(big, small));
    printf("%g\n", doubled(big, small));
    printf("%g\n", good(big, small));
}
