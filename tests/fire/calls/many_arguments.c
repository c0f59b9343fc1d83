// More arguments than registers: the shadows of those on the stack arrive too.
#include <stdio.h>

__attribute__((noinline)) double on_stack(double a, int i, double b, float c, double d, double e, double f, long j,
                                          double g, double h, double k, double l, float m, double n) {
    return n - l + (a + b + c + d + e + f + g + h + k + m) * (double)(i * j); //~ precision-loss: 52..53 bits lost
}

__attribute__((noinline)) float float_on_stack(double a, double b, double c, double d, double e, double f, double g,
                                               double h, float k, float l) {
    return l - k + (float)((a + b + c + d + e + f + g + h) * 0); //~ precision-loss: 23..24 bits lost
}

int main(void) {
    volatile double big = 1e17, small = 3;
    volatile float big_f = 1e9f, small_f = 3;
    printf("%g\n", on_stack(1, 0, 2, 0, 3, 4, 5, 0, 6, 7, 8, big, 0, big + small));
    printf("%g\n", (double)float_on_stack(1, 2, 3, 4, 5, 6, 7, 8, big_f, big_f + small_f));
}
