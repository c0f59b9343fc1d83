// The sum of clean/compensated/complex_sums without compensation: each part of a complex number is lost for itself.
#include <complex>
#include <cstdio>

using C = std::complex<double>;

__attribute__((noinline)) static C difference(C a, C b, C c) {
    C s = a + b;
    double re = s.real() - c.real(); //~ precision-loss: 45..53 bits lost
    double im = s.imag() - c.imag(); //~ precision-loss: 45..53 bits lost
    return C(re, im);
}

int main() {
    volatile double large = 1e16, small = 0.3;
    C a(large, small), b(small, large), c(large, large);
    C d = difference(a, b, c);
    std::printf("%g %g\n", d.real(), d.imag());
}
