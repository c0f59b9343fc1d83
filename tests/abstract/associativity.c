// bound: u 4.4e-16 6.67e-16
#include <nonius.h>
int main(void) {
    double x = 1.0, y = 2.0, u;
    nonius_input(&x, 0.0, 3.0);
    nonius_input(&y, 0.0, 3.0);
    u = (x + y) - x - y;
    nonius_bounds(&u);
    return 0;
}
