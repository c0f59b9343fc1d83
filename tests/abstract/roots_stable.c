// The same, without a difference. bound: z 1e-22 1e-20
#include <math.h>
#include <nonius.h>
int main(void) {
    double x = 1e12, z;
    nonius_input(&x, 1e10, 1e12);
    z = 1 / (sqrt(x + 1) + sqrt(x));
    nonius_bounds(&z);
    return 0;
}
