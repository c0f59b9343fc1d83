// What an addition absorbed is asked for twice: as what can be got back, which is wrong, and as what is missing, which is right
// by any arithmetic but the real one. Beside it the same with a sum that is exact.
#include <stdio.h>

__attribute__((noinline)) static void show(double a, double b) {
    double sum = a + b;
    double back = sum - a; //~ precision-loss: 50..53 bits lost
    double lost = back - b; //~? precision-loss: 52..53 bits lost
    printf("%.17g %.17g %.17g\n", sum, back, lost);
}

__attribute__((noinline)) static void show_exact(double a, double b) {
    double sum = a + b;
    double back = sum - a;
    double lost = back - b;
    printf("%.17g %.17g %.17g\n", sum, back, lost);
}

int main(void) {
    volatile double large = 1e17, fine = 1e15, small = 3.0;
    show(large, small);
    show_exact(fine, small);
}
