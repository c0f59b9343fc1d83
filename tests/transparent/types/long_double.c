// x87 arithmetic, functions, comparisons and conversions.
#include <math.h>
#include <stdio.h>

static volatile long double xs[] = {0.1L, -3.7L, 1e4000L, 1e-4940L, 7, 1.0L / 3};

__attribute__((noinline)) static long double mix(long double a, double b, int c, long double d) { return a * b + c / d; }

int main(void) {
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            long double a = xs[i], b = xs[j];
            printf("%La %La %La %La ", a + b, a - b, a * b, a / b);
            printf("%d%d%d %La %a\n", a < b, a == b, a >= b, mix(a, 0.5, i, b), (double)(a / b));
        }
    printf("%La %La %La\n", sqrtl(xs[0]), expl(xs[5]), fmodl(xs[4], xs[0]));
    struct { char c; long double l; float f; } s = {1, xs[0], 2};
    printf("%La %zu\n", s.l * s.f + s.c, sizeof s);
}
