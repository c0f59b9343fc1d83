// Powers of 1/phi by repeated subtraction: the error grows as phi^n while the value shrinks.
#include <math.h>
#include <stdio.h>

double by_subtraction(double g, int n) {
    double a = 1, b = g;
    for (int i = 1; i < n; i++) {
        double next = a - b; //~ precision-loss: 33..53 bits lost
        a = b;
        b = next;
    }
    return b;
}
double by_multiplication(double g, int n) {
    double p = 1;
    for (int i = 0; i < n; i++) p *= g;
    return p;
}

int main(void) {
    volatile double five = 5;
    double g = (sqrt(five) - 1) / 2;
    printf("%.17g\n", by_subtraction(g, 38));
    printf("%.17g\n", by_multiplication(g, 38));
}
