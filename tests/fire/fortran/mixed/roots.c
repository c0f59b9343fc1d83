#include <math.h>

double root_of(double x) { return sqrt(x); }
double twice(double (*f)(double), double x) { return f(x) + f(x); }
