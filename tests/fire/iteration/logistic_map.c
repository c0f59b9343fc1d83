// nonius: open=residue,double-double
// A chaotic map doubles the error of its state at every step.
#include <stdio.h>

double iterate(double r, double x, int n) {
    for (int i = 0; i < n; i++) x = r * x * (1 - x); //~ precision-loss: 33..53 bits lost
    return x;
}

int main(void) {
    volatile double r = 3.9, tame = 2.5, x = 0.3;
    printf("%.17g\n", iterate(r, x, 70));
    printf("%.17g\n", iterate(tame, x, 70));
}
