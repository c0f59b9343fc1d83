// Muller's recurrence: from 4 and 4.25 it tends to 5; in doubles to 100.
#include <stdio.h>

int main(void) {
    volatile double x0 = 4, x1 = 4.25;
    double x[14] = {x0, x1};
    for (int n = 2; n < 14; n++)
        x[n] = 108 - (815 - 1500 / x[n - 2]) / x[n - 1]; //~ precision-loss: 33..53 bits lost
    printf("%g\n", x[13]);
}
