// nonius: opt=O0,O2,O2-lto,O2-thin
// Nearly equal square roots cancel; the conjugate does not.
#include <cmath>
#include <iostream>

double difference(double x) { return std::sqrt(x + 1) - std::sqrt(x); } //~ precision-loss: 45..53 bits lost
double conjugate(double x) { return 1 / (std::sqrt(x + 1) + std::sqrt(x)); }

int main() {
    volatile double x = 1e15;
    std::cout << difference(x) << ' ' << conjugate(x) << '\n';
}
