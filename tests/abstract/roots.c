// Of two roots beside each other little is left. bound: z 4.0e-11 4.5e-10 precision-loss
#include <math.h>
#include <nonius.h>
int main(void) {
    double x = 1e12, z;
    nonius_input(&x, 1e10, 1e12);
    z = sqrt(x + 1) - sqrt(x);
    nonius_bounds(&z);
    return 0;
}
