/* ERFA in quadruple precision, as a reference that knows nothing of Nonius: forced in front of every source file, it
   turns each `double` into a 113-bit float. Constants such as 0.1 stay the doubles that the library uses, so the only
   thing that changes is the rounding of operations. For gcc, whose _Float128 glibc has functions for. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef _Float128 quad;

#define double quad
#define atan atanf128
#define atan2 atan2f128
#define ceil ceilf128
#define cos cosf128
#define fabs fabsf128
#define floor floorf128
#define fmod fmodf128
#define pow powf128
#define sin sinf128
#define sqrt sqrtf128
#define tan tanf128

/* The test program prints with %s, %d and %.<digits>g alone; the last must take a quad. */
static inline int quad_printf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    for (const char *at = format; *at; at++) {
        if (*at != '%') {
            putchar(*at);
        } else if (*++at == 's') {
            fputs(va_arg(args, const char *), stdout);
        } else if (*at == 'd') {
            fprintf(stdout, "%d", va_arg(args, int));
        } else {
            char text[64];
            strfromf128(text, sizeof text, "%.36g", va_arg(args, quad));
            fputs(text, stdout);
            at = strchr(at, 'g');
        }
    }
    va_end(args);
    return 0;
}
#define printf quad_printf
