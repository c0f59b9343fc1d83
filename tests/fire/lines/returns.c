// Several ways out of a function: the line is that of the return that was taken, not of one that never ran.
#include <math.h>
#include <stdio.h>

#define APART __attribute__((noinline))

APART double first(double x, int k) {
    if (k == 1)
        return (sqrt(x + 1) - sqrt(x)) * 2; //~ precision-loss: 45..53 bits lost
    return (cos(1 / x) - 1) * 3;
}
APART double last(double x, int k) {
    if (k == 2)
        return (cos(1 / x) - 1) * 3;
    return (sqrt(x + 1) - sqrt(x)) * 2; //~ precision-loss: 45..53 bits lost
}
APART double by_switch(double x, int k) {
    switch (k) {
    case 1:
        return sqrt(x + 1) - sqrt(x); //~ precision-loss: 45..53 bits lost
    case 2:
        return cos(1 / x) - 1;
    default:
        return 0.5;
    }
}
APART double early(double x, int k) {
    for (int i = 0; i < 10; i++) {
        if (i == k)
            return sqrt(x + 1) - sqrt(x); //~ precision-loss: 45..53 bits lost
        x += 1;
    }
    return cos(1 / x) - 1;
}
APART double by_question(double x, int k) {
    return k == 1
               ? (sqrt(x + 1) - sqrt(x)) * 2 //~ precision-loss: 45..53 bits lost
               : (cos(x) - cos(x + 1e-9)) * 3;
}

int main(void) {
    volatile double x = 1e15;
    volatile int k = 1;
    printf("%g %g\n", first(x, k), last(x, k));
    printf("%g %g\n", by_switch(x, k), early(x, k));
    printf("%g\n", by_question(x, k));
}
