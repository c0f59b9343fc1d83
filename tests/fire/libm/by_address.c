// Mathematical functions that are called through pointers: known by their addresses, as others are by their names.
#include <math.h>
#include <stdio.h>

typedef double (*unary)(double);
typedef double (*binary)(double, double);
typedef double (*scaling)(double, int);

static const struct { const char *name; unary f; } table[] = {{"cos", cos}, {"cosh", cosh}, {"exp", exp}};

__attribute__((noinline)) static double from_one(unary f, double x) { return f(x) - 1; } //~ precision-loss: 33..53 bits lost

int main(void) {
    volatile double tiny = 1e-9, half = 0.5, big = 1e17, small = 3;
    for (int i = 0; i < 3; i++) printf("%s %g\n", table[i].name, from_one(table[i].f, tiny));

    binary volatile power = pow;
    printf("%g\n", power(1 + 1e-3 * tiny, half) - 1); //~ precision-loss: 33..53 bits lost
    float (*volatile cosine)(float) = cosf;
    printf("%g\n", cosine((float)1e-5 * (float)half) - 1); //~ precision-loss: 4..24 bits lost
    long double (*volatile wide)(long double) = coshl;
    printf("%Lg\n", wide(1e-11L * half) - 1); //~ precision-loss: 44..64 bits lost

    // What the function itself does is exact: the error comes in.
    scaling volatile scaled = ldexp;
    printf("%g\n", scaled(big + small, 1) - 2 * big); //~ precision-loss: 52..53 bits lost
    unary volatile absolute = fabs;
    printf("%g\n", absolute(-(big + small)) - big); //~ precision-loss: 52..53 bits lost
    binary volatile larger = fmax;
    printf("%g\n", larger(big + small, small) - big); //~ precision-loss: 52..53 bits lost
    double (*volatile fused)(double, double, double) = fma;
    printf("%g\n", fused(big + small, 1, -big)); //~ precision-loss: 52..53 bits lost
}
