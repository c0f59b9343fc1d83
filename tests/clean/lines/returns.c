// The same ways out, each with a stable form behind it.
#include <math.h>
#include <stdio.h>

#define APART __attribute__((noinline))

APART double first(double x, int k) {
    if (k == 1)
        return 2 / (sqrt(x + 1) + sqrt(x));
    return -6 * sin(0.5 / x) * sin(0.5 / x);
}
APART double by_switch(double x, int k) {
    switch (k) {
    case 1:
        return 1 / (sqrt(x + 1) + sqrt(x));
    case 2:
        return -2 * sin(0.5 / x) * sin(0.5 / x);
    default:
        return 0.5;
    }
}
APART double question(double x, double y, int k) {
    return k == 1 ? x / y : x * y;
}

int main(void) {
    volatile double x = 1e15;
    for (volatile int k = 0; k < 4; k++) {
        printf("%g %g\n", first(x, k), by_switch(x, k));
        printf("%g\n", question(x, 3, k));
    }
}
