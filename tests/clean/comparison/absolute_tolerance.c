// A difference that cancels is only compared with a tolerance far above it.
#include <math.h>
#include <stdio.h>

static int near(double x, double y) {
    double d = x - y;
    return d < 1e-5 && d > -1e-5;
}

int main(void) {
    volatile double a = 0.1, b = 0.2, c = 0.3, d = 0.6;
    int all = near(a + b + c, d) && near(sqrt(b) * sqrt(b), b) && near(sin(a) * sin(a) + cos(a) * cos(a), 1);
    if (fabs((a + b + c) - d) < 1e-9) all++;
    printf("%d\n", all);
}
