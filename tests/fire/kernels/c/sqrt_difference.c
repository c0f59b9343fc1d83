// nonius: opt=O0,O2
// Nearly equal square roots cancel; the conjugate does not.
#include <math.h>
#include <stdio.h>

double difference(double x) { return sqrt(x + 1) - sqrt(x); } //~ precision-loss: 45..53 bits lost
double conjugate(double x) { return 1 / (sqrt(x + 1) + sqrt(x)); }

int main(void) {
    volatile double x = 1e15;
    printf("%.17g %.17g\n", difference(x), conjugate(x));
}
