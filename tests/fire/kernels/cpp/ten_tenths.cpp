// nonius: opt=O0,O2
// Ten tenths do not add up to one, so the comparison goes wrong; with a tolerance it does not.
#include <cmath>
#include <iostream>

int main() {
    volatile double tenth = 0.1;
    volatile double whole = 10;
    double step = 1 / whole, sum = 0;
    for (int i = 0; i < 10; i++) sum += step;
    if (sum == 1) //~ branch-flip
        std::cout << "one\n";
    if (std::fabs(sum - 1) < tenth * 1e-9) std::cout << "about one\n";
}
