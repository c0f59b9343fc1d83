// Operations that the optimizer computes before a branch, or out of a loop, keep the lines that they were written on. What
// both ways compute alike becomes one operation: it is where the choice between them is made.
#include <stdio.h>

#define APART __attribute__((noinline))

APART double question(double x, double y, int k) {
    return k == 1
               ? x - y //~ precision-loss: 52..53 bits lost
               : x * y;
}
APART double other(double x, double y, int k) {
    return k == 2
               ? x * y
               : x - y; //~ precision-loss: 52..53 bits lost
}
APART void out_of_loop(double *p, int n, double x, double y) {
    for (int i = 0; i < n; i++) {
        p[i] =
            (x - y) * p[i]; //~ precision-loss: 52..53 bits lost
    }
}
APART double merged(double x, double y, int k) {
    if (k == 1) //~? precision-loss: 52..53 bits lost
        return (x - y) / 3; //~? precision-loss: 52..53 bits lost
    return (x - y) / 7;
}

int main(void) {
    volatile double tenth = 0.1, three = 0.3;
    volatile int k = 1;
    double x = tenth + 0.2, p[3] = {1, 2, 3};
    printf("%g\n", question(x, three, k));
    printf("%g\n", other(x, three, k));
    out_of_loop(p, 3, x, three);
    printf("%g\n", p[2]);
    printf("%g\n", merged(x, three, k));
}
