#include <stdarg.h>
#include <stdio.h>

double last(int n, ...) {
    va_list list;
    va_start(list, n);
    double x = 0;
    for (int i = 0; i < n; i++) x = va_arg(list, double);
    va_end(list);
    return x;
}

double last_of(int n, va_list list) {
    double x = 0;
    for (int i = 0; i < n; i++) x = va_arg(list, double);
    return x;
}

void print(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}
