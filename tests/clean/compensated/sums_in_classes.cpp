// Compensated sums whose state is in a class or behind a pointer, and double-double numbers with operators.
#include <cmath>
#include <cstdio>
struct Kahan { double sum = 0, c = 0; void add(double x) { double y = x - c, t = sum + y; c = (t - sum) - y; sum = t; } double value() const { return sum; } double error() const { return c; } };
class Neumaier { double s = 0, c = 0; public: void operator+=(double x) { double t = s + x; if (std::fabs(s) >= std::fabs(x)) c += (s - t) + x; else c += (x - t) + s; s = t; } double comp() const { return c; } operator double() const { return s + c; } };
struct Klein { double s = 0, cs = 0, ccs = 0, c = 0, cc = 0; void add(double x) { double t = s + x; if (std::fabs(s) >= std::fabs(x)) c = (s - t) + x; else c = (x - t) + s; s = t; t = cs + c; if (std::fabs(cs) >= std::fabs(c)) cc = (cs - t) + c; else cc = (c - t) + cs; cs = t; ccs += cc; } double value() { return s + cs + ccs; } };
extern "C" { struct state { double sum, comp; }; }
__attribute__((noinline)) static void add_c(struct state *st, double x) { double t = st->sum + x; if (std::fabs(st->sum) >= std::fabs(x)) st->comp += (st->sum - t) + x; else st->comp += (x - t) + st->sum; st->sum = t; }
template <class T> struct Adder { T *s, *c; void operator()(T x) { T y = x - *c; volatile T t = *s + y; *c = (t - *s) - y; *s = t; } };
struct dd { double hi, lo; };
static inline dd twosum(double a, double b) { double s = a + b, z = s - a; return {s, (a - (s - z)) + (b - z)}; }
inline dd operator+(const dd &a, const dd &b) { dd s = twosum(a.hi, b.hi); s.lo += a.lo + b.lo; double h = s.hi + s.lo; return {h, s.lo - (h - s.hi)}; }
inline dd operator-(const dd &a) { return {-a.hi, -a.lo}; }
inline dd operator-(const dd &a, const dd &b) { return a + -b; }
inline dd operator*(const dd &a, const dd &b) { double p = a.hi * b.hi, e = std::fma(a.hi, b.hi, -p); e += a.hi * b.lo + a.lo * b.hi; double h = p + e; return {h, e - (h - p)}; }
inline dd &operator+=(dd &a, const dd &b) { a = a + b; return a; }
inline bool operator<(const dd &a, const dd &b) { return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo); }
int main() {
    volatile double in[] = {1e8 / 3, 0.1, -0.3, 7e-9, 12345.678, -1e7 / 3, 0.7};
    Kahan k; Neumaier n; Klein l; state st = {0, 0}; double s = 0, c = 0; Adder<double> ad{&s, &c};
    dd sum = {0, 0}, prod = {1, 0}; int cnt = 0;
    for (double x : in) {
        k.add(x); n += x; l.add(x); add_c(&st, x); ad(x);
        sum += dd{x, 0}; dd old = prod; prod = prod * dd{x, 0} + sum;
        cnt += (k.error() == 0) + (n.comp() < 0) + (st.comp > 0) + (c < 0) + (l.c < 0) + (l.cc == 0) + (prod.lo < 0) + (old < prod) + (sum.lo == 0);
    }
    dd diff = prod - prod;
    printf("%d %.17g %.17g %.17g %.17g %.17g %.17g %.17g %g\n", cnt, k.value(), (double)n, l.value(), st.sum + st.comp, s, sum.hi, prod.hi, diff.hi);
}
