// Guaranteed tail calls, mutual recursion and calls through pointers.
#include <stdio.h>

typedef double step(double x, double y, int n);
__attribute__((noinline)) static double even(double x, double y, int n);
__attribute__((noinline)) static double odd(double x, double y, int n) {
    if (n <= 0) return x;
    __attribute__((musttail)) return even(y / 3, x + 1, n - 1);
}
static double even(double x, double y, int n) {
    if (n <= 0) return y;
    step *volatile next = odd;
    step *target = next;
    __attribute__((musttail)) return target(x * 1.1, y - x, n - 1);
}

int main(void) {
    volatile double in = 0.1;
    for (int n = 0; n < 20; n++) printf("%a\n", odd(in, in * n, n));
    printf("%a\n", even(in, 1, 100000));
}
