// nonius: scale=0,400,-400
// Knuth's TwoSum hands the rounding error out through memory; it is used, never shown.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static double two_sum(double a, double b, double *error) {
    double s = a + b, bb = s - a;
    *error = (a - (s - bb)) + (b - bb);
    return s;
}

int main(int argc, char **argv) {
    int k = atoi(argv[argc - 1]);
    double s = 0, total_error = 0;
    for (int i = 1; i < 500; i++) {
        double e;
        s = two_sum(s, ldexp(1.0 / i, k), &e);
        total_error += e;
    }
    printf("%.17g\n", s + total_error);
}
