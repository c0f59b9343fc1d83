// Compensated sums of std::complex, whose operators are functions of the library where nothing is inlined.
#include <complex>
#include <cstdio>
#include <vector>
#include <algorithm>
#include <cmath>
using C = std::complex<double>;
__attribute__((noinline)) static C kahan(const std::vector<C> &v) {
    C s = 0, c = 0;
    for (const C &x : v) {
        C y = x - c, t = s + y;
        c = (t - s) - y;
        s = t;
    }
    return s;
}
__attribute__((noinline)) static C neumaier(const std::vector<C> &v, C &comp) {
    double re = 0, im = 0, cr = 0, ci = 0;
    for (const C &x : v) {
        double t = re + x.real();
        if (std::abs(re) >= std::abs(x.real())) cr += (re - t) + x.real(); else cr += (x.real() - t) + re;
        re = t;
        t = im + x.imag();
        ci += std::abs(im) >= std::abs(x.imag()) ? (im - t) + x.imag() : (x.imag() - t) + im;
        im = t;
    }
    comp = C(cr, ci);
    return C(re + cr, im + ci);
}
__attribute__((noinline)) static void two_sum(const C &a, const C &b, C &s, C &e) {
    s = a + b;
    C bb = s - a;
    e = (a - (s - bb)) + (b - bb);
}
__attribute__((noinline)) static double tail_re(C a, C b, C s) { return (a.real() - (s.real() - (s.real() - a.real()))) + (b.real() - (s.real() - a.real())); }
int main() {
    std::vector<C> v;
    volatile double q = 0.1;
    for (int i = 0; i < 40; i++) v.push_back(C(q * (i + 1) + (i ? 0 : 1e8), q / (i + 3) + (i ? 0 : 1e6)));
    C comp, k = kahan(v), n = neumaier(v, comp), s, e, low = 0;
    for (int i = 1; i < 40; i++) {
        two_sum(v[i - 1], v[i], s, e);
        low += e;
        if (e.real() == 0) printf("=");
        if (e.imag() < 0) printf("<");
        if (tail_re(v[i - 1], v[i], s) > 0) printf(">");
    }
    printf("%.17g %.17g %.17g %.17g %.17g\n", k.real(), k.imag(), n.real(), n.imag(), (n + low).real());
    if (comp.real() < 0) puts("below");
}
