// Functions that step at integers, of sums that should be there exactly. What is computed from the steps is not reported
// again: the program has decided, as at a branch.
#include <math.h>
#include <stdio.h>

double sum_of(double part, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += part;
    return sum;
}

int main(void) {
    volatile double tenth = 0.1;
    double one = sum_of(tenth, 10), half = sum_of(tenth, 155);
    double down = floor(one);   //~ cast-flip
    double up = ceil(-one);     //~ cast-flip
    double whole = trunc(one);  //~ cast-flip
    double near = round(half);  //~ cast-flip
    double even = rint(half);   //~ cast-flip
    double same = nearbyint(half); //~ cast-flip
    double power = logb(one);   //~ cast-flip
    int exponent = ilogb(one);  //~ cast-flip
    double part, rest = modf(one, &part); //~ cast-flip
    printf("%g %g %g %g %g %g %g %d %g\n", down, up, whole, near, even, same, power, exponent, part);
    printf("%g %g %g\n", down * 7 + 1, near - 3 * even, sqrt(whole + power + 2));
    printf("%.3f\n", rest);
}
