// The same with sum and correction in memory, behind a method call.
#include <cstdio>

struct accumulator {
    double sum = 0, correction = 0;
    __attribute__((noinline)) void add(double x) {
        double y = x - correction, t = sum + y;
        correction = (t - sum) - y;
        sum = t;
    }
};

int main() {
    accumulator a;
    for (int i = 1; i <= 2000; i++) a.add(1.0 / i);
    std::printf("%.17g\n", a.sum);
}
