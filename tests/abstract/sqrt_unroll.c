// Newton's iteration for a square root, five steps. bound: t 2.2e-16 7.10e-15
#include <nonius.h>
int main(void) {
    double x = 5.0, t;
    nonius_input(&x, 4.000000000000001, 8.0);
    t = 2.5;
    for (int i = 0; i < 5; i++)
        t = 0.5 * (t + x / t);
    nonius_bounds(&t);
    return 0;
}
