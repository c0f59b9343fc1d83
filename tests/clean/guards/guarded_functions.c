// nonius: opt=O0,O2,O3,O3-native
// Square roots, logarithms and powers behind a test of their domain.
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static void roots(const double *x, double *out, int n) {
    for (int i = 0; i < n; i++) out[i] = x[i] >= 0 ? sqrt(x[i]) : 0;
}

int main(void) {
    double x[40], out[40], sum = 0;
    for (int i = 0; i < 40; i++) x[i] = i - 20;
    roots(x, out, 40);
    for (int i = 0; i < 40; i++) {
        sum += out[i];
        if (x[i] > 0) sum += log(x[i]);
        sum += x[i] < 1 && x[i] > -1 ? asin(x[i]) : 0.25;
    }
    printf("%.12g\n", sum);
}
