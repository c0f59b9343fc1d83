// A square root by two pieces that do not meet at 2. bound: S 0.02328 0.0235 alarm
#include <nonius.h>
int main(void) {
    double I = 1.5, S;
    nonius_input_error(&I, 1.0, 2.0, 0.0, 1e-3);
    if (I >= 2.0) {
        double h = 0.5 * I - 1.0;
        S = 1.4142135623730951 * (1.0 + h * (0.5 - 0.125 * h));
    } else {
        double h = I - 1.0;
        S = 1.0 + h * (0.5 + h * (-0.125 + h * 0.0625));
    }
    nonius_bounds(&S);
    return 0;
}
