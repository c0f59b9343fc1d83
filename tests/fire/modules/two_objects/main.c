// nonius: object=other.c
// The error is made in one object file and seen in another.
#include <stdio.h>

double plus(double a, double b);
double minus(double a, double b);
extern double kept;

int main(void) {
    volatile double big = 1e17, small = 3;
    kept = plus(big, small);
    printf("%g\n", minus(kept, big));
    printf("%g\n", kept - big); //~ precision-loss: 52..53 bits lost
}
