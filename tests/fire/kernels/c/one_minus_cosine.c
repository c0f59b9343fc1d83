// nonius: opt=O0,O2
// 1 - cos x of a small angle cancels; twice the squared sine of the half does not.
#include <math.h>
#include <stdio.h>

double direct(double x) { return 1 - cos(x); } //~ precision-loss: 50..53 bits lost
double half_angle(double x) { return 2 * sin(x / 2) * sin(x / 2); }

int main(void) {
    volatile double x = 1.3e-8;
    printf("%.17g %.17g\n", direct(x), half_angle(x));
}
