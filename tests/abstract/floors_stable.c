// A tent of which either side gives the same where they meet. bound: z 0.9e-9 1.1e-7
#include <math.h>
#include <nonius.h>
int main(void) {
    double x = 2.25, z;
    nonius_input_error(&x, 0.0, 4.0, -1e-9, 1e-9);
    double n = floor(x), t = x - n;
    z = n + t * t * (3 - 2 * t);
    nonius_bounds(&z);
    return 0;
}
