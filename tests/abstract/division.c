// A quotient of a sum with one of its own terms. bound: z2 1.09e-16 1.805e-16
#include <nonius.h>
int main(void) {
    double x = 1.5, y = 1.25;
    nonius_input(&x, 1.0, 2.0);
    nonius_input(&y, 1.0, 2.0);
    double z1 = x + y;
    double z2 = x / z1;
    nonius_bounds(&z2);
    return 0;
}
