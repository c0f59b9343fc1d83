// nonius: stdin="1e17 2.5 1e17\n1e9\n"
// scanf, sscanf and strtod put exact values where errors were.
#include <stdio.h>
#include <stdlib.h>

static double a[3];
static float f;

__attribute__((noinline)) static void dirty(double big, double small, float big_f, float small_f) {
    for (int i = 0; i < 3; i++) a[i] = big + small;
    f = big_f + small_f;
}

int main(void) {
    volatile double big = 1e17, small = 3;
    volatile float big_f = 1e9f, small_f = 3;
    dirty(big, small, big_f, small_f);
    if (scanf("%lf %*f %lg %f", &a[0], &a[1], &f) != 3) return 2;
    printf("%g %g %g\n", a[0] - big, a[1] - big, (double)(f - big_f));
    dirty(big, small, big_f, small_f);
    if (sscanf("7 1e17", "%*d %lf", &a[2]) != 1) return 3;
    a[1] = strtod("1e17", NULL);
    printf("%g %g\n", a[2] - big, a[1] - big);
}
