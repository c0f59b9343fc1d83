// nonius: opt=O0,O2,O2-lto,O2-thin
// Mean of squares minus square of mean, for readings far from zero; two passes are fine.
#include <stdio.h>

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

int main(void) {
    volatile double base = 1e10;
    double x[5];
    for (int i = 0; i < 5; i++) x[i] = base + i * i;
    printf("%g %g\n", one_pass(x, 5), two_pass(x, 5));
}
