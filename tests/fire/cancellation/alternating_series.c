// exp(-20) from its series: terms up to 4e7 cancel down to 2e-9. The reciprocal of exp(20) does not.
#include <stdio.h>

double series(double x) {
    double term = 1, sum = 1;
    for (int n = 1; n < 120; n++) {
        term *= x / n;
        sum += term; //~ precision-loss: 33..53 bits lost
    }
    return sum;
}

int main(void) {
    volatile double x = 20;
    printf("%.17g\n", series(-x));
    printf("%.17g\n", 1 / series(x));
}
