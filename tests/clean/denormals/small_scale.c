// nonius: scale=0,-900,900
// Plain averaging at the ends of the range of doubles: the same relative accuracy as anywhere.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int k = atoi(argv[argc - 1]);
    double sum = 0, high = 0;
    for (int i = 1; i <= 100; i++) {
        double x = ldexp(1.0 / i, k);
        sum += x;
        if (x > high) high = x;
    }
    printf("%g %g\n", sum / 100, high / sum);
}
