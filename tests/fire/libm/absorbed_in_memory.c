// What a large offset absorbs: numbers that are kept nowhere but in sums with it.
#include <stdio.h>

static const double offset = 268435456.0;
volatile double seeds[4] = {0.1, 1e-9, 3e-9, 1e-10};
double sums[4];

__attribute__((noinline)) static void fill(double by) {
    for (int k = 0; k < 4; k++) sums[k] = seeds[k] * by + offset;
}

int main(void) {
    fill(0.75);
    double total = 0;
    for (int k = 1; k < 4; k++) total += sums[k] - offset; //~ precision-loss: 50..53 bits lost @output
    printf("%g\n", total);
}
