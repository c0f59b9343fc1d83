// sin by Taylor to degree 7. bound: res 8.7e-18 2.57e-16
#include <nonius.h>
int main(void) {
    double x = 0.5, res;
    nonius_input(&x, 0.3141592653589793, 0.7853981633974483);
    double x2 = x * x;
    res = x * (1.0 - x2 * (1.0 / 6.0 - x2 * (1.0 / 120.0 - x2 * (1.0 / 5040.0))));
    nonius_bounds(&res);
    return 0;
}
