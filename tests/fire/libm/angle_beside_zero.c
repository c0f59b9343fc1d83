// The cosine of an angle that is wrong by half a turn. The ideal happens to be next to 0, four thousand times smaller than
// the result, which is no reason to take the result for a harmless rounding error.
#include <math.h>
#include <stdio.h>

struct result { double value, error; };

__attribute__((noinline)) void phase(double x, struct result *r) {
    double angle = x * sqrt(x) * 2 / 3;
    r->value = cos(angle); //~ precision-loss: 52..53 bits lost @store
    r->error = fabs(r->value) * 2e-16; //~? precision-loss: 52..53 bits lost
}

int main(void) {
    volatile double x = 404285289047.2488;
    struct result r;
    phase(x, &r);
    printf("%d\n", r.value < 2);
    return 0;
}
