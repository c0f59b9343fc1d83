// Both sides of && and || are computed at once; a flip counts where the other side leaves it to it.
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

NOINLINE int both(int enabled, double x, double y) {
    double sum = x + y;
    return enabled && sum - x < y; //~ branch-flip
}
NOINLINE int either(int disabled, double x, double y) {
    double sum = x + y;
    return disabled || sum - x < y; //~ branch-flip
}
NOINLINE int inside(double x, double y, double low) {
    double sum = x + y;
    return sum - x >= y && sum - x > low; //~ branch-flip
}

int main(void) {
    volatile double tiny = 1e-9, tenth = 0.1, least = 5e-10;
    volatile int off = 0, on = 1;
    printf("%d %d\n", both(off, tenth, tiny), both(on, tenth, tiny));
    printf("%d %d\n", either(on, tenth, tiny), either(off, tenth, tiny));
    printf("%d\n", inside(tenth, tiny, least));
    return 0;
}
