// Bisection down to an interval of 1e-10 of a smooth function.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double low_in = 0, high_in = 2;
    double low = low_in, high = high_in;
    while (high - low > 1e-10) {
        double middle = 0.5 * (low + high);
        if (cos(middle) > middle)
            low = middle;
        else
            high = middle;
    }
    printf("%.9g\n", low);
}
