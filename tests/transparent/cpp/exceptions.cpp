// Exceptions with floating-point payloads through several frames, destructors on the way, rethrow.
#include <cstdio>
#include <stdexcept>

struct guard { double *sum, by; ~guard() { *sum += by; } };
struct error : std::runtime_error { double value; explicit error(double v) : std::runtime_error("bad"), value(v) {} };

__attribute__((noinline)) static double inner(double x, double *sum) {
    guard g{sum, x / 3};
    if (x > 0.5) throw error(x * 1.1);
    if (x < 0) throw x;
    return x * 2;
}
__attribute__((noinline)) static double outer(double x, double *sum) {
    guard g{sum, x * x};
    try {
        return inner(x, sum) + *sum;
    } catch (error &e) {
        e.value /= 3;
        if (e.value > 1) throw;
        return e.value;
    }
}

int main() {
    volatile double in = 0.1;
    double sum = in;
    for (int i = -2; i < 40; i++) {
        try {
            std::printf("%a\n", outer(in * i, &sum));
        } catch (const error &e) {
            std::printf("error %a\n", e.value);
        } catch (double d) {
            std::printf("double %a\n", d);
        }
    }
    std::printf("%a\n", sum);
}
