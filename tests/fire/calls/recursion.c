// An error carried through a recursion's arguments and results.
#include <stdio.h>

__attribute__((noinline)) double sum(const double *a, int n) {
    return n == 0 ? 0 : sum(a + 1, n - 1) + a[0]; //~ precision-loss: 52..53 bits lost
}

int main(void) {
    volatile double big = 1e17, small = 3;
    double a[] = {-big, small, small, small, big}, b[] = {small, small, small, -big, big};
    printf("%g\n", sum(a, 5));
    printf("%g\n", sum(b, 5));
}
