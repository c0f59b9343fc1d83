// nonius: options=constants=exact
// A remainder by pi/2 in two words, as in clean/libm/range_reduction, of a number that is too large for it: the product with the
// first part of pi/2 is no longer exact, and the tail does not know.
#include <stdint.h>
#include <stdio.h>

static const double toint = 0x1.8p52, invpio2 = 6.36619772367581382433e-01, pio2_1 = 1.57079632673412561417e+00,
                    pio2_1t = 6.07710050650619224932e-11;

__attribute__((noinline)) static int reduce(double x, double *y) {
    double fn = x * invpio2 + toint - toint;
    double head = fn * pio2_1;
    double r = x - head;
    double w = fn * pio2_1t;
    y[0] = r - w; //~ precision-loss: 50..53 bits lost
    y[1] = (r - y[0]) - w;
    return (int)((int64_t)fn & 3);
}

int main(void) {
    volatile double in[] = {1000.25, 1234567891234567.0};
    for (int i = 0; i < 2; i++) {
        double y[2];
        int n = reduce(in[i], y);
        printf("%d %.17g\n", n, y[0] + y[1]);
    }
}
