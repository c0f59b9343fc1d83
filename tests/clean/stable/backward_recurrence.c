// Bessel functions by Miller's backward recurrence: errors shrink on the way down.
#include <stdio.h>

int main(void) {
    volatile double in = 2;
    double x = in, j[32] = {0}, norm = 0;
    j[30] = 1e-30;
    for (int n = 30; n > 0; n--) j[n - 1] = 2 * n / x * j[n] - j[n + 1];
    for (int n = 2; n <= 30; n += 2) norm += 2 * j[n];
    norm += j[0];
    printf("%.15g %.15g %.15g\n", j[0] / norm, j[1] / norm, j[5] / norm);
}
