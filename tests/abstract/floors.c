// A sawtooth. What floor gives decides by how much it is wrong. bound: z 0.9 1.1 alarm
#include <math.h>
#include <nonius.h>
int main(void) {
    double x = 2.25, z;
    nonius_input_error(&x, 0.0, 4.0, -1e-9, 1e-9);
    z = x - floor(x);
    nonius_bounds(&z);
    return 0;
}
