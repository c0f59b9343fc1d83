// NaN from functions that are not defined at their argument.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double negative = -8, third = 1.0 / 3, zero = 0, two = 2;
    double a = pow(negative, third); //~ nan
    double b = log(negative);        //~ nan
    double c = fmod(two, zero);      //~ nan
    double d = acosh(zero);          //~ nan
    double e = log1p(negative);      //~ nan
    double f = cbrt(negative);
    printf("%g %g %g %g %g %g\n", a, b, c, d, e, f);
}
