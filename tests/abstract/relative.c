// bound: z 1.8e-13 2.34e-12
#include <nonius.h>
int main(void) {
    double x = 10.0, y = 20.0, z;
    nonius_input_error(&x, 0.1, 100.0, -7.105427357601002e-15, 7.105427357601002e-15);
    nonius_input_error(&y, 0.1, 100.0, -7.105427357601002e-15, 7.105427357601002e-15);
    z = x * y;
    nonius_bounds(&z);
    return 0;
}
