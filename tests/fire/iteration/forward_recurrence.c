// I(n) = 1 - n I(n-1) multiplies the error of I(0) by n!; run backwards, it divides by n.
#include <math.h>
#include <stdio.h>

double forward(int n, double one) {
    double v = 1 - exp(-one);
    for (int i = 1; i <= n; i++) v = 1 - i * v; //~ precision-loss: 33..53 bits lost
    return v;
}
double backward(int n) {
    double v = 0.5;
    for (int i = n + 20; i > n; i--) v = (1 - v) / i;
    return v;
}

int main(void) {
    volatile int n = 17;
    volatile double one = 1;
    printf("%.17g %.17g\n", forward(n, one), backward(n));
}
