// A logarithm in double-double: that of the library, in double, and a step of Newton's by an exponential of two words. What the library's last bit
// lacks is in the remainder, beside the number's low word.
#include <math.h>
#include <stdio.h>

#define FUNCTION __attribute__((noinline)) static

typedef struct {
    double hi, lo;
} dd;

FUNCTION dd fast_sum(double a, double b) {
    double s = a + b;
    return (dd){s, b - (s - a)};
}

FUNCTION dd sum(double a, double b) {
    double s = a + b, bb = s - a;
    return (dd){s, (a - (s - bb)) + (b - bb)};
}

FUNCTION dd product(double a, double b) {
    double p = a * b;
    return (dd){p, fma(a, b, -p)};
}

FUNCTION dd add(dd x, dd y) {
    dd s = sum(x.hi, y.hi), t = sum(x.lo, y.lo);
    dd v = fast_sum(s.hi, s.lo + t.hi);
    return fast_sum(v.hi, v.lo + t.lo);
}

FUNCTION dd plus(dd x, double y) {
    dd s = sum(x.hi, y);
    return fast_sum(s.hi, s.lo + x.lo);
}

FUNCTION dd times(dd x, dd y) {
    dd p = product(x.hi, y.hi);
    return fast_sum(p.hi, p.lo + (x.hi * y.lo + x.lo * y.hi));
}

FUNCTION dd over(dd x, double y) {
    double q = x.hi / y;
    dd p = product(q, y);
    double rest = ((x.hi - p.hi) - p.lo) + x.lo;
    return fast_sum(q, rest / y);
}

FUNCTION dd exponential(dd x) {
    dd term = {1, 0}, all = {1, 0};
    for (int i = 1; i < 40; i++) {
        term = over(times(term, x), i);
        all = add(all, term);
    }
    return all;
}

FUNCTION dd words(double x) { return (dd){x, 0}; }

FUNCTION dd logarithm(dd a) {
    double y = log(a.hi);
    dd rest = plus(times(a, exponential(words(-y))), -1.0);
    return plus(rest, y);
}

int main(void) {
    volatile double seven = 7.0;
    for (int i = 2; i < 20; i++) {
        dd l = logarithm(over((dd){i, 0}, seven));
        printf("%.17g %.5g\n", l.hi, l.lo);
    }
}
