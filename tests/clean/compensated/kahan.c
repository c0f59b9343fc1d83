// nonius: opt=O0,O2,O3,O3-lto,O2-thin scale=0,60,-60
// Kahan's sum in float: the correction term is all rounding error, and does its work. argv[1] scales.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static float kahan(const float *a, int n) {
    float sum = 0, c = 0;
    for (int i = 0; i < n; i++) {
        float y = a[i] - c;
        float t = sum + y;
        c = (t - sum) - y;
        sum = t;
    }
    return sum;
}

int main(int argc, char **argv) {
    float a[3000];
    int k = atoi(argv[argc - 1]);
    for (int i = 0; i < 3000; i++) a[i] = ldexpf(1.0f / (float)(i % 97 + 1), k);
    printf("%.9g\n", (double)kahan(a, 3000));
}
