// nonius: scale=0,200,-200
// Welford's running variance of readings far from zero.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int k = atoi(argv[argc - 1]);
    double x[] = {4.1, 7.2, 13.4, 16.9, 5.3, 9.7}, mean = 0, m2 = 0;
    for (int i = 0; i < 6; i++) {
        double v = ldexp(1e8 + x[i], k), delta = v - mean;
        mean += delta / (i + 1);
        m2 += delta * (v - mean);
    }
    printf("%.6g %.6g\n", mean, m2 / 5);
}
