// A step of Newton's for a logarithm in two words, by an exponential of only one: the remainder is the rounding error of that, and
// the low word is as good as none. In clean/compensated/newton_logarithm the exponential has two words.
#include <math.h>
#include <stdio.h>

#define FUNCTION __attribute__((noinline)) static

typedef struct {
    double hi, lo;
} dd;

// On one line, since at -O0 it is the variable that is seen to be wrong.
FUNCTION dd sum(double a, double b) {
    double s = a + b, bb = s - a; dd r = {s, (a - (s - bb)) + (b - bb)}; return r; //~ precision-loss: 50..53 bits lost @return
}

FUNCTION dd product(double a, double b) {
    double p = a * b;
    return (dd){p, fma(a, b, -p)};
}

FUNCTION dd times(dd x, dd y) {
    dd p = product(x.hi, y.hi);
    return sum(p.hi, p.lo + (x.hi * y.lo + x.lo * y.hi));
}

FUNCTION dd plus(dd x, double y) {
    dd s = sum(x.hi, y);
    return sum(s.hi, s.lo + x.lo);
}

FUNCTION dd exponential(dd x) { return (dd){exp(x.hi), 0}; }

FUNCTION dd words(double x) { return (dd){x, 0}; }

FUNCTION dd logarithm(dd a) {
    double y = log(a.hi);
    dd rest = plus(times(a, exponential(words(-y))), -1.0);
    return plus(rest, y);
}

int main(void) {
    volatile double start = 0.3;
    for (int i = 0; i < 20; i++) {
        dd l = logarithm((dd){start + i, (start + i) * 0x1.8p-55});
        printf("%.15g\n", l.hi);
    }
}
