// nonius: opt=O0,O2,O2-lto,O2-thin
// The squares of a norm overflow; scaled they do not.
#include <math.h>
#include <stdio.h>

double norm(double x, double y) {
    return sqrt(x * x + y * y); //~ inf
}
double scaled(double x, double y) {
    double big = fmax(fabs(x), fabs(y));
    return big * sqrt(x / big * (x / big) + y / big * (y / big));
}

int main(void) {
    volatile double x = 3e200, y = 4e200;
    printf("%g %g\n", norm(x, y), scaled(x, y));
}
