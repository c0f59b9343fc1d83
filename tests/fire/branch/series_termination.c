// A series for exp(2) that stops when a term no longer counts: it stops one term too early.
#include <stdio.h>

double series(double x) {
    double term = 1, sum = 1, last;
    int n = 1;
    do {
        last = sum;
        term = term * x / n++;
        sum += term;
    } while (sum != last); //~ branch-flip
    return sum;
}

int main(void) {
    volatile double x = 2;
    printf("%.17g\n", series(x));
}
