// Shadows pass through variable arguments and a va_list handed on.
#include <stdarg.h>
#include <stdio.h>

__attribute__((noinline)) double last_of(int n, va_list list) {
    double x = 0;
    for (int i = 0; i < n; i++) x = va_arg(list, double);
    return x;
}
__attribute__((noinline)) double last(int n, ...) {
    va_list list;
    va_start(list, n);
    double x = last_of(n, list);
    va_end(list);
    return x;
}

int main(void) {
    volatile double big = 1e17, small = 3;
    printf("%g\n", last(3, 1.0, 2.0, big + small) - big);  //~ precision-loss: 52..53 bits lost
    printf("%g\n", last(11, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., big + small) - big); //~ precision-loss: 52..53 bits lost
    printf("%g\n", last(2, big + small, 5.0) - 5);
}
