// nonius: opt=O0,O2
// The squares of a norm overflow; scaled they do not.
#include <algorithm>
#include <cmath>
#include <iostream>

double norm(double x, double y) {
    return std::sqrt(x * x + y * y); //~ inf
}
double scaled(double x, double y) {
    double big = std::max(std::fabs(x), std::fabs(y));
    return big * std::sqrt(x / big * (x / big) + y / big * (y / big));
}

int main() {
    volatile double x = 3e200, y = 4e200;
    std::cout << norm(x, y) << ' ' << scaled(x, y) << '\n';
}
