// Stepping to the neighbouring float by integer increments, over memory that holds residues.
#include <stdint.h>
#include <stdio.h>

static double values[4];

__attribute__((noinline)) static void fill(double x) {
    for (int i = 0; i < 4; i++) values[i] = x / 3 + i;
}
__attribute__((noinline)) static void bump(double *x) { ++*(int64_t *)x; }

int main(void) {
    volatile double x = 0.1;
    fill(x);
    double before = values[2];
    bump(&values[2]);
    printf("%d %.15g\n", values[2] > before, values[2]);
}
