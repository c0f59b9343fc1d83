// Two resistors in parallel, one of them a short circuit: right result, by way of 1/0.
#include <stdio.h>

double by_conductance(double a, double b) { return 1 / (1 / a + 1 / b); } //~ inf
double by_product(double a, double b) { return a * b / (a + b); }

int main(void) {
    volatile double a = 0, b = 50;
    printf("%g %g\n", by_conductance(a, b), by_product(a, b));
}
