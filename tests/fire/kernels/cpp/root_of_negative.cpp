// nonius: opt=O0,O2
// A difference that should not be negative is, and its root is NaN; a guard keeps it.
#include <cmath>
#include <iostream>

double root(double x) {
    return std::sqrt(x); //~ nan
}
double guarded(double x) { return x > 0 ? std::sqrt(x) : 0; }

int main() {
    volatile double x = -1e-18;
    std::cout << root(x) << ' ' << guarded(x) << '\n';
}
