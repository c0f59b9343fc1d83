// Remainders away from whole periods, and those whose dividend only its own rounding puts beside one.
#include <math.h>
#include <stdio.h>

double sum_of(double part, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += part;
    return sum;
}

int main(void) {
    volatile double tenth = 0.1, three = 3, seven = 7;
    printf("%.9g %.9g\n", fmod(sum_of(tenth, 13), 1.0), remainder(sum_of(tenth, 13), 1.0));
    printf("%.9g\n", fmod(10 * tenth, tenth));
    printf("%g %g\n", fmod(seven * three, three), remainder(seven * three, three));
    printf("%.6g\n", fmod(seven / three * 1e6, three));
    printf("%.9g\n", fmod(sum_of(tenth, 10) + 1e-9, 1.0) + 1);
}
