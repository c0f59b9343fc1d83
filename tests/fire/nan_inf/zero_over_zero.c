// The mean of no readings: 0/0.
#include <stdio.h>

double mean(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum / n; //~ nan @operation
}

int main(void) {
    volatile int none = 0;
    double x[] = {1, 2, 3};
    printf("%g\n", mean(x, none));
    printf("%g\n", mean(x, 3));
}
