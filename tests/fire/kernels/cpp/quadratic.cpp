// nonius: opt=O0,O2
// The textbook formula loses the small root when b*b dwarfs 4*a*c.
#include <cmath>
#include <iostream>

template <class T> T textbook(T b, T c) { return (-b + std::sqrt(b * b - 4 * c)) / 2; } //~ precision-loss: 45..53 bits lost
template <class T> T stable(T b, T c) { return 2 * c / (-b - std::sqrt(b * b - 4 * c)); }

int main() {
    volatile double b = 1e8, c = 1;
    std::cout << textbook<double>(b, c) << ' ' << stable<double>(b, c) << '\n';
}
