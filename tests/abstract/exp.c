// exp of the C library, which is believed to be within one and a half ulps. bound: y 1.13e-13 4.47e-13
#include <math.h>
#include <nonius.h>
int main(void) {
    double x = 2.5;
    nonius_input(&x, 0.43, 7.315);
    double y = exp(x);
    nonius_bounds(&y);
    return 0;
}
