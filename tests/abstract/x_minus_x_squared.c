// Figure 12: the affine part knows what an interval does not. range: z -0.001 0.251
#include <nonius.h>
int main(void) {
    double x = 0.5, z;
    nonius_input(&x, 0.0, 1.0);
    z = x - x * x;
    nonius_bounds(&z);
    return 0;
}
