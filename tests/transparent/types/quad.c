// __float128 arithmetic, its bits, and conversions.
#include <stdio.h>
#include <string.h>

static volatile __float128 qs[] = {0.1, 3, -7.25, 1e300, 1e-300};

static void show(__float128 q) {
    unsigned long bits[2];
    memcpy(bits, &q, 16);
    printf("%016lx%016lx ", bits[1], bits[0]);
}
__attribute__((noinline)) static __float128 series(__float128 x) {
    __float128 term = 1, sum = 1;
    for (int i = 1; i < 40; i++) term = term * x / i, sum += term;
    return sum;
}

int main(void) {
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            __float128 a = qs[i], b = qs[j];
            show(a + b), show(a - b), show(a * b), show(a / b);
            printf("%d%d %a %La\n", a < b, a == b, (double)(a / b), (long double)(a * b));
        }
    show(series(qs[0])), show(series(qs[2]));
    printf("%ld\n", (long)qs[2]);
}
