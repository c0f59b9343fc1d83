// 1 / sqrt(a) by an iteration of third order, then its product with a. bound: res 3.5e-16 3.15e-15
#include <math.h>
#include <nonius.h>
int main(void) {
    double a = 16.05, x = 0.2, before = 0, res;
    nonius_input(&a, 16.0, 16.1);
    while (fabs(x - before) > 1e-5) {
        before = x;
        x = x * (15.0 / 8.0 + a * x * x * (-5.0 / 4.0 + 3.0 / 8.0 * a * x * x));
    }
    res = x * a;
    nonius_bounds(&res);
    return 0;
}
