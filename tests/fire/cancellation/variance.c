// nonius: scale=0,-200,200,31
// Mean of squares minus square of mean, for readings far from zero; argv[1] scales all of them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double one_pass(const double *x, int n) {
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    return (squares - sum * sum / n) / (n - 1); //~ precision-loss: 40..53 bits lost
}

double two_pass(const double *x, int n) {
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    for (int i = 0; i < n; i++) squares += (x[i] - sum / n) * (x[i] - sum / n);
    return squares / (n - 1);
}

int main(int argc, char **argv) {
    double x[] = {4.1, 7.2, 13.4, 16.9, 5.3};
    for (int i = 0; i < 5; i++) x[i] = ldexp(rint((1e8 + x[i]) * 64), atoi(argv[argc - 1]));
    printf("%g %g\n", one_pass(x, 5), two_pass(x, 5));
}
