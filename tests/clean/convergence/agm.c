// The arithmetic-geometric mean and pi from it, with a stopping test on the gap.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double two = 2;
    double a = 1, b = 1 / sqrt(two), t = 0.25, p = 1;
    while (a - b > 1e-9) {
        double next = (a + b) / 2;
        b = sqrt(a * b);
        t -= p * (a - next) * (a - next);
        a = next;
        p *= 2;
    }
    printf("%.12g\n", (a + b) * (a + b) / (4 * t));
}
