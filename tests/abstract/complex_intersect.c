// A car that brakes before a crossing, which it sees anew at each step. bound: x 0.1999 0.532
#include <nonius.h>
int main(void) {
    double x = 0.0, v = 1.0;
    for (;;) {
        double c = 100.4;
        nonius_input_error(&c, 100.4, 100.4, -0.001, 0.001);
        if (x >= c) break;
        if (v * v >= 0.08 * (c - x - 0.2)) {
            v -= 0.04;
            if (v < 0.2) v = 0.2;
        }
        x += v;
    }
    nonius_bounds(&x);
    return 0;
}
