// Functions of long double.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile long double in = 0.7L;
    long double x = in, sum = sinl(x) + cosl(x) + expl(x) + logl(x) + sqrtl(x) + powl(x, 3.3L) + atan2l(x, 2);
    sum += fabsl(-x) + floorl(x * 9) + fmodl(7.5L, x) + hypotl(x, 1) + cbrtl(x) + expm1l(x) + log1pl(x);
    printf("%.12Lg\n", sum);
}
