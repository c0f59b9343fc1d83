// nonius: opt=O0,O2,O2-lto,O2-thin
// Ten tenths do not add up to one, so the comparison goes wrong; with a tolerance it does not.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double tenth = 0.1;
    volatile double whole = 10;
    double step = 1 / whole, sum = 0;
    for (int i = 0; i < 10; i++) sum += step;
    if (sum == 1) //~ branch-flip
        puts("one");
    if (fabs(sum - 1) < tenth * 1e-9) puts("about one");
}
