// nonius: opt=O0,O2
// 1 - cos x of a small angle cancels; twice the squared sine of the half does not.
#include <cmath>
#include <iostream>

double direct(double x) { return 1 - std::cos(x); } //~ precision-loss: 50..53 bits lost
double half_angle(double x) { return 2 * std::sin(x / 2) * std::sin(x / 2); }

int main() {
    volatile double x = 1.3e-8;
    std::cout << direct(x) << ' ' << half_angle(x) << '\n';
}
