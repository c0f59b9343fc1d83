// nonius: opt=O0,O2
// A quotient that should be whole is truncated to the integer below; rounding is right.
#include <cmath>
#include <iostream>

int truncated(double x, double step) { return static_cast<int>(x / step); } //~ cast-flip
int rounded(double x, double step) { return static_cast<int>(std::floor(x / step + 0.5)); }

int main() {
    volatile double ten = 10;
    double x = 6 / ten, step = 2 / ten;
    std::cout << truncated(x, step) << ' ' << rounded(x, step) << '\n';
}
