// 5x^2 - 3 beside its root: what is left is the rounding of 5x^2.
#include <stdio.h>

double p(double x) { return 5 * x * x - 3; } //~ precision-loss: 49..53 bits lost

int main(void) {
    volatile double root = 0.7745966692414833, far = 1.25;
    printf("%.17g\n", p(root));
    printf("%.17g\n", p(far));
}
