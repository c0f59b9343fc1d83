// nonius: opt=O0,O2,O3,O2-fast,O2-native,O3-v3-fast
// complex, valarray and random: the library's own templates, instrumented with the program.
#include <complex>
#include <cstdio>
#include <random>
#include <valarray>

int main() {
    std::complex<double> z(0.1, 0.2), s = 0;
    for (int i = 0; i < 30; i++) z = z * z + std::polar(0.3, 0.1 * i), s += std::sqrt(z) / std::complex<double>(1, i);
    std::printf("%a %a %a\n", s.real(), s.imag(), std::abs(s));
    std::valarray<double> a(40), b(0.5, 40);
    for (int i = 0; i < 40; i++) a[i] = i / 7.0;
    std::valarray<double> c = a * b + std::sin(a) - std::pow(b, 3.0);
    c[std::slice(0, 10, 3)] += a[std::slice(1, 10, 2)];
    std::printf("%a %a %a\n", c.sum(), c.max(), std::valarray<double>(c[a > 3.0]).min());
    std::mt19937 engine(42);
    std::normal_distribution<double> normal(0, 2);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::exponential_distribution<double> exponential(0.7);
    double sum = 0;
    for (int i = 0; i < 200; i++) sum += normal(engine) * uniform(engine) + exponential(engine);
    std::printf("%a %u\n", sum, unsigned(engine()));
}
