// The fourth power of x - 1, expanded. bound: t 2.1e-7 3.576e-6 precision-loss
#include <nonius.h>
int main(void) {
    float x = 0.5f, t;
    nonius_input(&x, 0.0, 1.0);
    t = x * x * x * x - 4 * x * x * x + 6 * x * x - 4 * x + 1;
    nonius_bounds(&t);
    return 0;
}
