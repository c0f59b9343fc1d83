// Subtracting nearly equal square roots cancels the digits that were right.
#include <math.h>
#include <stdio.h>

double difference(double x) { return sqrt(x + 1) - sqrt(x); } //~ precision-loss: 45..53 bits lost
double conjugate(double x) { return 1 / (sqrt(x + 1) + sqrt(x)); }

int main(void) {
    volatile double x = 1e15;
    printf("%.17g\n", difference(x));
    printf("%.17g\n", conjugate(x));
}
