// Arithmetic on literals, which the optimizer does itself: a wrong constant is a finding all the same.
#include <math.h>
#include <stdio.h>

static double versine(double x) {
    return (1 - cos(x)) //~ precision-loss: 52..53 bits lost
           / (x * x);
}

int main(void) {
    printf("%.17g\n", (1 - cos(1e-9)) / 1e-18); //~ precision-loss: 52..53 bits lost
    double x = 1e-9;
    double y = 1 - cos(x); //~ precision-loss: 52..53 bits lost
    printf("%.17g\n", y / (x * x));
    printf("%.17g\n", versine(1e-9));
    double big = 1e16, one = 1;
    double sum = (big + one) - big; //~ precision-loss: 52..53 bits lost
    printf("%.17g\n", sum);
    float large = 1e8f, small = 1;
    printf("%.9g\n", (large + small) - large); //~ precision-loss: 23..24 bits lost
    printf("%.17g\n", exp(1e-12) - 1); //~ precision-loss: 36..42 bits lost
    // The square of the root is 2 to the author and 2.0000000000000004 to the machine.
    if (sqrt(2.0) * sqrt(2.0) == 2.0) //~ branch-flip
        puts("equal");
    return 0;
}
