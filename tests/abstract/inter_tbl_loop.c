// A table of ten steps, the largest of 2, whose place is found by bisection.
// bound: res 2e-8 4e-8
#include <nonius.h>
#include <stdio.h>

static const double table[11] = {0, 1, 3, 4, 4, 2, 1, 0, 1, 3, 5};

static double interpolated(double x) {
    int low = 0, high = 10;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (x < middle)
            high = middle;
        else
            low = middle;
    }
    return table[low] + (table[low + 1] - table[low]) * (x - low);
}

int main(void) {
    double x = 4.3;
    nonius_input_error(&x, 0.0, 10.0, -1e-8, 1e-8);
    double res = interpolated(x);
    nonius_bounds(&res);
    printf("%.17g\n", res);
    return 0;
}
