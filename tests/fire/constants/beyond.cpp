// Losses and flips in computations with rounded constants that are far beyond how those were rounded, in C++.
#include <cmath>
#include <cstdio>

constexpr double step = 0.1;
volatile double one = 1;

int main() {
    const double end = one;
    int count = 0;
    for (double t = 0; t < end; t += step) //~ branch-flip @branch
        count++;
    std::printf("%d\n", count);
    const double x = one * 1.1e-8;
    const double half = (1 - std::cos(x)) / (x * x); //~ precision-loss: 51..53 bits lost @output
    std::printf("%g\n", half);
    const double sine = std::sin(x / 2) / x;
    std::printf("%g\n", 2 * sine * sine);
}
