// nonius: open=residue,double-double
// Newton's method on a triple root given as a multiplied-out cubic: the last correct digits are chance.
#include <stdio.h>

double solve(double x, int n) {
    for (int i = 0; i < n; i++)
        x -= (((x - 3) * x + 3) * x - 1) / (3 * x * x - 6 * x + 3); //~ precision-loss: 33..53 bits lost
    return x;
}
double solve_simple_root(double x, int n) {
    for (int i = 0; i < n; i++) x -= (x * x - 2) / (2 * x);
    return x;
}

int main(void) {
    volatile double start = 2;
    printf("%.17g\n", solve(start, 40));
    printf("%.17g\n", solve_simple_root(start, 40));
}
