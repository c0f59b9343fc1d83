// nonius: raw-shared=raw.c
// Calls of a library that Nonius has not seen neither lose the errors around them nor invent any.
#include <stdio.h>

double raw_twice(double x);
void raw_fill(double *a, int n, double x);

int main(void) {
    volatile double big = 1e17, small = 3;
    double a[4], sum = big + small;
    raw_fill(a, 4, 1.5);
    double b = raw_twice(sum);
    printf("%g\n", sum - big);     //~ precision-loss: 52..53 bits lost
    printf("%g\n", b - 2 * big);   // starts anew from what the library returned
    a[2] = sum;
    raw_fill(a, 2, 2.5);
    printf("%g\n", a[2] - big);    //~ precision-loss: 52..53 bits lost
    printf("%g\n", a[1] - a[3]);
}
