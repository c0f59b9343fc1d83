// Figure 1: an interpolation table, inside and across -1. bound: out1 1e-9 1.19e-7 bound: out2 3.9 4.1 alarm
#include <nonius.h>
static double interpolate(double in, const double *y, int n) {
    double out;
    int index = (int)in;
    if (index < 0 || index >= n - 1)
        out = (index < 0) ? y[0] : y[n - 1];
    else
        out = y[index] + (in - index) * (y[index + 1] - y[index]);
    return out;
}
int main(void) {
    const double y[5] = {0.0, 4.0, 3.0, 1.0, 2.0};
    double in = 2.0, out1, out2;
    nonius_input_error(&in, 1.9, 2.1, -2e-8, 2e-8);
    nonius_split();
    out1 = interpolate(in, y, 5);
    nonius_merge(&out1);
    nonius_bounds(&out1);
    in = -1.0;
    nonius_input_error(&in, -1.001, -0.999, -2e-8, 2e-8);
    nonius_split();
    out2 = interpolate(in, y, 5);
    nonius_merge(&out2);
    nonius_bounds(&out2);
    return 0;
}
