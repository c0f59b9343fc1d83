// Infinity that a following minimum or comparison takes care of, as written by the author.
#include <math.h>
#include <stdio.h>

static double decay(double t) {
    if (t > 700) return 0;
    return 1 / (1 + exp(t));
}

int main(void) {
    volatile double ts[] = {-5, 0, 3, 650, 1e4};
    for (int i = 0; i < 5; i++) printf("%g\n", decay(ts[i]));
}
