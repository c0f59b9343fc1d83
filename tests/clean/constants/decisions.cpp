// Decisions that hang on how constants were rounded, in C++.
#include <cstdio>

constexpr double third = 1.0 / 3.0;
volatile double minus_three = -3;
volatile int n = 200;

template <typename T> struct Step {
    static constexpr T size = T(0.1);
};

int main() {
    const double q = minus_three * third;
    if (q * q * q + 1.0 == 0.0) std::puts("a root");
    int hits = 0;
    for (int i = 0; i < n; i++) {
        const double at = i * Step<double>::size;
        if (at * 10.0 == i) hits++;
        hits += static_cast<int>(i * third * 3.0);
    }
    std::printf("%d\n", hits);
}
