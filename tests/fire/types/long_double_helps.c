// A long double accumulator keeps what a double one loses; the finding is in the double one alone.
#include <stdio.h>

double in_double(const double *a, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i]; //~ precision-loss: 52..53 bits lost
    return sum;
}
double in_long_double(const double *a, int n) {
    long double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i];
    return (double)sum;
}

int main(void) {
    volatile double big = 1e17, small = 3;
    double a[] = {big, small, small, -big};
    printf("%g %g\n", in_double(a, 4), in_long_double(a, 4));
}
