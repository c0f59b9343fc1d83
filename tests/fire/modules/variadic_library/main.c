// Variable arguments of functions that a shared library defines, a va_list that goes there, and output through one.
// nonius: shared=elsewhere.c
#include <stdarg.h>
#include <stdio.h>

double last(int n, ...);
double last_of(int n, va_list list);
void print(const char *format, ...);

__attribute__((noinline)) double hand_on(int n, ...) {
    va_list list;
    va_start(list, n);
    double x = last_of(n, list);
    va_end(list);
    return x;
}

int main(void) {
    volatile double big = 1e17, small = 3;
    printf("%g\n", last(2, 1.0, big + small) - big);     //~ precision-loss: 52..53 bits lost
    printf("%g\n", last(11, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., big + small) - big); //~ precision-loss: 52..53 bits lost
    printf("%g\n", hand_on(2, 1.0, big + small) - big);  //~ precision-loss: 52..53 bits lost
    printf("%g\n", last(2, big + small, 5.0) - 5);
    print("%g %g\n", 2.0, (big + small) - big);          //~ precision-loss: 52..53 bits lost @argument
}
