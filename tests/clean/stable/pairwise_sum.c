// nonius: scale=0,60,-60
// Pairwise summation in float: the error grows with the logarithm of the length.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static float sum(const float *a, int n) {
    if (n <= 8) {
        float s = 0;
        for (int i = 0; i < n; i++) s += a[i];
        return s;
    }
    return sum(a, n / 2) + sum(a + n / 2, n - n / 2);
}

int main(int argc, char **argv) {
    static float a[20000];
    int k = atoi(argv[argc - 1]);
    for (int i = 0; i < 20000; i++) a[i] = ldexpf(0.1f, k);
    printf("%.9g\n", (double)sum(a, 20000));
}
