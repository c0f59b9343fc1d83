// Functions through pointers that lose nothing: the stable forms, steps beside an integer, and functions of the program
// that have the type of a mathematical one.
#include <math.h>
#include <stdio.h>

typedef double (*unary)(double);
typedef double (*binary)(double, double);

__attribute__((noinline)) static double half_of(double x) { return x / 2; }
__attribute__((noinline)) static double mean(double x, double y) { return half_of(x + y); }

int main(void) {
    volatile double tiny = 1e-9, third = 1.0 / 3, one = 1;
    unary volatile functions[] = {expm1, log1p, sin, sqrt, half_of};
    for (int i = 0; i < 5; i++) printf("%g\n", functions[i](tiny));
    // Ideally a little below 1, and 1 as the program has it.
    unary volatile steps[] = {floor, trunc, rint};
    for (int i = 0; i < 3; i++) printf("%g\n", steps[i](third * 3));
    float (*volatile step)(float) = floorf;
    printf("%g\n", step((float)third * 3));
    binary volatile pairs[] = {hypot, fmin, atan2, mean, copysign};
    for (int i = 0; i < 5; i++) printf("%g\n", pairs[i](third, one));
}
