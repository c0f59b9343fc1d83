// Minimum, maximum, absolute value and clamp of values with errors far smaller than their distance.
#include <math.h>
#include <stdio.h>

int main(void) {
    double x[40], low = INFINITY, high = -INFINITY, sum = 0;
    for (int i = 0; i < 40; i++) x[i] = sin(i * 0.37) * 3;
    for (int i = 0; i < 40; i++) {
        low = x[i] < low ? x[i] : low;
        high = fmax(high, x[i]);
        sum += fabs(x[i]) + fmin(1, fmax(-1, x[i])) * (x[i] > 0 ? 1 : 0.5);
    }
    printf("%g %g %g\n", low, high, sum);
}
