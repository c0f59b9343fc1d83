// Ten times 0.1 stays below 1; in exact arithmetic it does not.
#include <stdio.h>

int main(void) {
    volatile double step = 0.1;
    double sum = 0;
    for (int i = 0; i < 10; i++) sum += step;
    if (sum < 1.0) puts("not yet"); //~ branch-flip
    if (sum < 1.0 - 1e-9) puts("not at all");
    if (step * 10 < 1.0) puts("neither");
}
