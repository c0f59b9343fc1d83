// Roots and quotients in double-double by steps of Newton's, without a fused multiply-add: numbers are cut into halves, and what a
// product lost is the sum of the halves' products.
#include <cmath>
#include <cstdio>

#define FUNCTION __attribute__((noinline)) static

struct dd {
    double hi, lo;
};

FUNCTION dd sum(double a, double b) {
    double s = a + b, bb = s - a;
    return {s, (a - (s - bb)) + (b - bb)};
}

FUNCTION void cut(double x, double &hi, double &lo) {
    double c = 134217729.0 * x;
    hi = c - (c - x);
    lo = x - hi;
}

FUNCTION dd product(double a, double b) {
    double ah, al, bh, bl, p = a * b;
    cut(a, ah, al);
    cut(b, bh, bl);
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

FUNCTION dd square(double a) {
    double c = 134217729.0 * a, h = c - (c - a), l = a - h, p = a * a;
    return {p, ((h * h - p) + 2.0 * h * l) + l * l};
}

FUNCTION dd minus(dd x, dd y) {
    dd s = sum(x.hi, -y.hi);
    return sum(s.hi, s.lo + (x.lo - y.lo));
}

FUNCTION dd over(const dd &x, const dd &y) {
    double q = x.hi / y.hi;
    dd p = product(q, y.hi);
    double rest = (((x.hi - p.hi) - p.lo) + x.lo) - q * y.lo;
    return sum(q, rest / y.hi);
}

FUNCTION dd root(const dd &x) {
    double y = std::sqrt(x.hi);
    dd rest = minus(x, product(y, y));
    return sum(y, rest.hi / (2.0 * y));
}

FUNCTION dd root_of_square(const dd &x) {
    double y = std::sqrt(x.hi);
    dd p = square(y);
    double rest = ((x.hi - p.hi) - p.lo) + x.lo;
    return sum(y, rest / (2.0 * y));
}

static void show(const char *what, const dd &x) { std::printf("%s %.17g %.5g\n", what, x.hi, x.lo); }

int main() {
    volatile double start = 2.0, seven = 7.0;
    for (int i = 0; i < 20; i++) {
        dd x = over({start + i, 0}, {seven, 0});
        show("root", root(x));
        show("root", root_of_square(x));
        show("quotient", over(x, {0.1, 1e-18}));
    }
}
