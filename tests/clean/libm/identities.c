// Identities that hold up to rounding, used as values and not as tests for equality.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double in = 0.4;
    double worst = 0;
    for (int i = 1; i < 50; i++) {
        double x = in * i, one = sin(x) * sin(x) + cos(x) * cos(x);
        double same = exp(log(x)) / x, also = tan(atan(x)) / x;
        worst = fmax(worst, one + same + also);
    }
    printf("%.9g\n", worst);
}
