// Double-double arithmetic: unevaluated sums whose low parts are rounding errors.
#include <math.h>
#include <stdio.h>

typedef struct { double high, low; } dd;

static dd normalize(double a, double b) {
    double s = a + b;
    return (dd){s, b - (s - a)};
}
static dd add(dd a, dd b) {
    double s = a.high + b.high, v = s - a.high;
    double e = (a.high - (s - v)) + (b.high - v);
    return normalize(s, e + (a.low + b.low));
}
static dd mul(dd a, dd b) {
    double p = a.high * b.high, e = fma(a.high, b.high, -p);
    return normalize(p, e + (a.high * b.low + a.low * b.high));
}

int main(void) {
    volatile double third = 1.0 / 3;
    dd x = {third, 0}, term = {1, 0}, sum = {1, 0};
    for (int n = 1; n < 20; n++) {
        term = mul(term, x);
        sum = add(sum, term);
    }
    printf("%.17g\n", sum.high); // 1 / (1 - x)
}
