// x87 extended: 64 bits are lost in the same ways, only later.
#include <math.h>
#include <stdio.h>

long double rest(long double big, long double small) { return (big + small) - big; } //~ precision-loss: 62..64 bits lost
long double roots(long double x) { return sqrtl(x + 1) - sqrtl(x); }                 //~ precision-loss: 57..61 bits lost
long double conjugate(long double x) { return 1 / (sqrtl(x + 1) + sqrtl(x)); }

int main(void) {
    volatile long double big = 1e21L, small = 3, x = 1e18L;
    printf("%Lg\n", rest(big, small));
    printf("%Lg\n", roots(x));
    printf("%Lg\n", conjugate(x));
}
