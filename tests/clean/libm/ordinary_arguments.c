// Every function at ordinary arguments: none is an ulp off far enough to matter.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double in = 0.7;
    double x = in, sum = 0;
    sum += sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x) + atan2(x, 2);
    sum += sinh(x) + cosh(x) + tanh(x) + asinh(x) + acosh(1 + x) + atanh(x);
    sum += exp(x) + exp2(x) + expm1(x) + log(x) + log2(x + 2) + log10(x + 2) + log1p(x);
    sum += pow(x, 3.3) + sqrt(x) + cbrt(x) + hypot(x, 2) + erf(x) + erfc(x) + tgamma(x) + lgamma(x);
    sum += fmod(7.5, x) + remainder(7.5, x) + fdim(2, x) + fma(x, x, 1) + ldexp(x, 3) + logb(x + 8);
    sum += floor(x * 9) + ceil(x * 9) + trunc(x * 9) + round(x * 9) + rint(x * 9) + nearbyint(x * 9);
    sum += fmax(x, 0.1) + fmin(x, 0.1) + fabs(-x) + copysign(x, -1) + j0(x) + y1(x);
    int exponent;
    double whole;
    sum += frexp(x, &exponent) + modf(x * 9, &whole) + whole + (double)lround(x * 9) + (double)llrint(x * 9);
    printf("%.12g\n", sum);
}
