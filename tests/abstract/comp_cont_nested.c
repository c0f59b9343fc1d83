// 0.7 and what a float cannot tell from it. bound: z 1.0e-18 1.001e-18
#include <nonius.h>
int main(void) {
    volatile double tiny = 1e-18, start = 0.7;
    double x = start, y = x - tiny, z;
    if (y <= x) {
        if (x <= y)
            z = x;
        else
            z = y;
    } else {
        z = 0.5 * (x + y);
    }
    nonius_bounds(&z);
    return 0;
}
