// Roots, quotients and reciprocals in double-double: an approximation in double, and a step of Newton's by its remainder. The
// number has a low word of its own, so that the remainder is partly that and partly what the approximation lacks.
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

FUNCTION dd minus(dd x, dd y) {
    dd s = sum(x.hi, -y.hi), t = sum(x.lo, -y.lo);
    dd v = fast_sum(s.hi, s.lo + t.hi);
    return fast_sum(v.hi, v.lo + t.lo);
}

FUNCTION dd times(dd x, double y) {
    dd p = product(x.hi, y);
    return fast_sum(p.hi, fma(x.lo, y, p.lo));
}

// A quotient, and one of what it left.
FUNCTION dd over(dd x, dd y) {
    double q = x.hi / y.hi;
    dd rest = minus(x, times(y, q));
    return fast_sum(q, rest.hi / y.hi);
}

// By functions of its own.
FUNCTION dd root(dd x) {
    double r = 1.0 / sqrt(x.hi);
    double y = x.hi * r;
    dd rest = minus(x, product(y, y));
    return sum(y, rest.hi * (r * 0.5));
}

// The same with nothing but operations.
FUNCTION dd root_at_once(double hi, double lo) {
    double y = sqrt(hi);
    double rest = fma(-y, y, hi) + lo;
    double step = rest / (y + y), s = y + step;
    return (dd){s, step - (s - y)};
}

FUNCTION dd reciprocal(double hi, double lo) {
    double y = 1.0 / hi;
    double rest = fma(-y, hi, 1.0) - y * lo;
    return fast_sum(y, y * rest);
}

FUNCTION dd reciprocal_root(double hi, double lo) {
    double y = 1.0 / sqrt(hi);
    dd square = product(y, y);
    dd p = product(square.hi, hi);
    double rest = (1.0 - p.hi) - (p.lo + fma(square.lo, hi, square.hi * lo));
    return fast_sum(y, 0.5 * y * rest);
}

// exp(x) for |x| < 1 by its series, a quotient a step.
FUNCTION dd series(dd x) {
    dd term = {1, 0}, all = {1, 0};
    for (int i = 1; i < 28; i++) {
        dd p = times(x, term.hi);
        p = sum(p.hi, p.lo + x.hi * term.lo);
        term = over(p, (dd){i, 0});
        all = minus(all, (dd){-term.hi, -term.lo});
    }
    return all;
}

static void show(const char *what, dd x) { printf("%s %.17g %.5g\n", what, x.hi, x.lo); }

int main(void) {
    volatile double start = 2.0, seven = 7.0;
    for (int i = 0; i < 20; i++) {
        dd x = over((dd){start + i, 0}, (dd){seven, 0});
        show("root", root(x));
        show("root", root_at_once(x.hi, x.lo));
        show("quotient", over(x, (dd){0.1, 1e-18}));
        show("reciprocal", reciprocal(x.hi, x.lo));
        show("reciprocal root", reciprocal_root(x.hi, x.lo));
        show("exp", series(over(x, (dd){4, 0})));
    }
}
