// nonius: opt=O0,O2,O2-lto,O2-thin
// A difference that should not be negative is, and its root is NaN; a guard keeps it.
#include <math.h>
#include <stdio.h>

double root(double x) {
    return sqrt(x); //~ nan
}
double guarded(double x) { return x > 0 ? sqrt(x) : 0; }

int main(void) {
    volatile double x = -1e-18;
    printf("%g %g\n", root(x), guarded(x));
}
