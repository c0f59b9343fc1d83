// Infinity from a pole: division by zero, log(0), a negative power of zero.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double one = 1, zero = 0, minus = -1;
    double a = one / zero;        //~ inf @operation
    double b = log(zero);         //~ inf
    double c = pow(zero, minus);  //~ inf
    double d = atanh(one);        //~ inf
    printf("%g %g %g %g\n", a, b, c, d);
}
