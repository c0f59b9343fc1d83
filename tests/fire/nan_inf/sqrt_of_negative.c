// The square root of an exact negative difference.
#include <math.h>
#include <stdio.h>

double leg(double hypotenuse, double other) {
    return sqrt((hypotenuse - other) * (hypotenuse + other)); //~ nan
}

int main(void) {
    volatile double c = 3, b = 4;
    printf("%g %g\n", leg(c, b), leg(5, b));
}
