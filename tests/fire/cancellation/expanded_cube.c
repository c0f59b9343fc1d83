// (x-1)^3 multiplied out is noise near 1; Horner's rule does not help, the factored form does.
#include <stdio.h>

double expanded(double x) { return x * x * x - 3 * x * x + 3 * x - 1; } //~ precision-loss: 34..53 bits lost
double horner(double x) { return ((x - 3) * x + 3) * x - 1; }          //~ precision-loss: 34..53 bits lost
double factored(double x) { return (x - 1) * (x - 1) * (x - 1); }

int main(void) {
    volatile double x = 1.0001;
    printf("%.17g\n", expanded(x));
    printf("%.17g\n", horner(x));
    printf("%.17g\n", factored(x));
}
