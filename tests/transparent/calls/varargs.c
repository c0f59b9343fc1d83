// Variable arguments of all types, copied lists, and lists handed on.
#include <stdarg.h>
#include <stdio.h>

__attribute__((noinline)) static long double sum_list(const char *types, va_list list) {
    long double sum = 0;
    for (; *types; types++) switch (*types) {
        case 'i': sum += va_arg(list, int); break;
        case 'd': sum += va_arg(list, double); break;
        case 'l': sum += va_arg(list, long double); break;
        case 's': { struct { double a, b; } s; s = *(__typeof__(s) *)va_arg(list, void *); sum += s.a * s.b; break; }
    }
    return sum;
}
__attribute__((noinline)) static long double sum(double first, const char *types, ...) {
    va_list list, copy;
    va_start(list, types);
    va_copy(copy, list);
    long double twice = sum_list(types, list) + sum_list(types, copy) * first;
    va_end(list);
    va_end(copy);
    return twice;
}

int main(void) {
    volatile double in = 0.1;
    double x = in;
    struct { double a, b; } s = {x, x / 3};
    printf("%La\n", sum(x, "didl", x, 3, x * 7, 0.3L * x));
    printf("%La\n", sum(2, "ddddddddddidli", x, x, 1., 2., 3., 4., 5., 6., 7., x / 9, 3, x, 1.5L, -2));
    printf("%La\n", sum(1, "sis", (void *)&s, 2, (void *)&s));
}
