// The same through templates, lambdas and methods that are called with literals.
#include <cmath>
#include <cstdio>

template <typename T> static T gap(T x) {
    return std::sqrt(x + 1) - std::sqrt(x); //~ precision-loss: 45..53 bits lost
}
struct Line {
    double a, b;
    double at(double x) const { return a * x + b; }
};

int main() {
    std::printf("%.17g\n", gap(1e15));
    auto cube = [](double x) { return (x + 1e10) - 1e10; }; //~ precision-loss: 33..53 bits lost
    std::printf("%.17g\n", cube(1.23456789e-5));
    Line line{3, 4};
    std::printf("%.17g\n", line.at(2.5));
}
