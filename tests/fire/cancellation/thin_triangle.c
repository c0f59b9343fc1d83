// Heron's formula for a needle; Kahan's ordering of the same terms is exact to the last digits.
#include <math.h>
#include <stdio.h>

double heron(double a, double b, double c) {
    double s = (a + b + c) / 2;
    return sqrt(s * (s - a) * (s - b) * (s - c)); //~ precision-loss: 34..53 bits lost
}
double kahan(double a, double b, double c) { // a >= b >= c
    return sqrt((a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c))) / 4;
}

int main(void) {
    volatile double a = 9.1, b = 9.1, c = 0x1p-50;
    printf("%.17g\n", heron(a, b, c));
    printf("%.17g\n", kahan(a, b, c));
}
