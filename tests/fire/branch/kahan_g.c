// nonius: open=residue,residue-override,double-double,inline@O0
// Kahan's mindless G: exactly 1 for every x, computed as 0 for every x, and no step looks wrong.
#include <math.h>
#include <stdio.h>

double q(double x) { return fabs(x - sqrt(x * x + 1)) - 1 / (x + sqrt(x * x + 1)); }

__attribute__((noinline)) double e(double z) {
    if (z == 0) //~ branch-flip
        return 1;
    return (exp(z) - 1) / z; //~? precision-loss: 52..53 bits lost
}

int main(void) {
    volatile double xs[] = {15, 16, 17, 9999};
    for (int i = 0; i < 4; i++) printf("%g\n", e(q(xs[i]) * q(xs[i])));
}
