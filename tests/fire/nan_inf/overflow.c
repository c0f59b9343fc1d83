// Overflow on the way to a result that would fit: a mean, a length, a binomial coefficient in float.
#include <math.h>
#include <stdio.h>

double mean(double a, double b) { return (a + b) / 2; }                //~ inf
double safe_mean(double a, double b) { return a / 2 + b / 2; }
double length(double x, double y) { return sqrt(x * x + y * y); }      //~ inf
double safe_length(double x, double y) { return hypot(x, y); }

float choose(int n, int k) {
    float above = 1, below = 1;
    for (int i = 1; i <= k; i++) {
        above *= (float)(n - i + 1); //~ inf
        below *= (float)i;
    }
    return above / below;
}

int main(void) {
    volatile double big = 1.5e308;
    volatile int n = 100;
    printf("%g %g\n", mean(big, big), safe_mean(big, big));
    printf("%g %g\n", length(big / 2, 1), safe_length(big / 2, 1));
    printf("%g\n", (double)choose(n, 25));
}
