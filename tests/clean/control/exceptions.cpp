// Unwinding through instrumented frames leaves no stale shadows for the next call.
#include <cstdio>
#include <stdexcept>

__attribute__((noinline)) static double fail(double x) {
    if (x > 0) throw std::runtime_error("no");
    return x;
}
__attribute__((noinline)) static double outer(double big, double small) { return fail(big + small) + 1; }
__attribute__((noinline)) static double minus(double a, double b) { return a - b; }

int main() {
    volatile double big = 1e17, small = 3;
    for (int i = 0; i < 3; i++) {
        try {
            std::printf("%g\n", outer(big, small));
        } catch (const std::exception &) {
            std::printf("%g\n", minus(big, big));
        }
    }
}
