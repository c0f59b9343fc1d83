// The words of a sum through pointers, as in clean/compensated/words_behind_pointers, but the smaller number comes first: Fast2Sum
// loses what it should keep.
#include <stdio.h>

__attribute__((noinline)) static void quick(double a, double b, double *s, double *e) {
    *s = a + b;
    *e = b - (*s - a); //~ precision-loss: 50..53 bits lost
}

int main(void) {
    volatile double small = 0.7, large = 1e17;
    double s, e;
    quick(small, large, &s, &e);
    printf("%.17g\n", (s - large) + e);
}
