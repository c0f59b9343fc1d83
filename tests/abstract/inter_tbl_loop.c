// A table whose piece is found by bisection: its two integers are dead when the function is left.
// bound: out1 2.0e-8 4.0e-8
#include <nonius.h>
static const double table[11] = {0, 1, 3, 4, 3, 1, 0, 2, 4, 5, 6};
static double interpolated(double in) {
    int lo = 0, hi = 10;
    while (hi - lo > 1) {
        int mid = (lo + hi) / 2;
        if (in < mid)
            hi = mid;
        else
            lo = mid;
    }
    return table[lo] + (in - lo) * (table[hi] - table[lo]);
}
int main(void) {
    double in = 4.5, out1;
    nonius_input_error(&in, 0.0, 10.0, -1e-8, 1e-8);
    out1 = interpolated(in);
    nonius_bounds(&out1);
    return 0;
}
