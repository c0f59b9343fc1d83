// nonius: scale=0,200,-200
// Neumaier's sum of terms that cancel: the result is right although every partial sum is not.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double neumaier(const double *a, int n) {
    double sum = a[0], c = 0;
    for (int i = 1; i < n; i++) {
        double t = sum + a[i];
        c += fabs(sum) >= fabs(a[i]) ? (sum - t) + a[i] : (a[i] - t) + sum;
        sum = t;
    }
    return sum + c;
}

int main(int argc, char **argv) {
    int k = atoi(argv[argc - 1]);
    double a[] = {1, 1e17, 2.5, 3.25, -1e17, 7};
    for (int i = 0; i < 6; i++) a[i] = ldexp(a[i], k);
    printf("%.17g\n", neumaier(a, 6));
}
