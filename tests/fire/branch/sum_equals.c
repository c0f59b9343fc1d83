// Three terms and an equality. Two terms are one correctly rounded operation, and no finding.
#include <stdio.h>

int three(double a, double b, double c, double sum) { return a + b + c == sum; } //~ branch-flip
int two(double a, double b, double sum) { return a + b == sum; }

int main(void) {
    volatile double a = 0.1, b = 0.2, c = 0.3, d = 0.6;
    printf("%d %d\n", three(a, b, c, d), two(a, b, c));
}
