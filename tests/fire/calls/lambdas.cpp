// Lambdas with captures, std::function, and a template over them.
#include <cstdio>
#include <functional>

template <class F> __attribute__((noinline)) double apply(F f, double x) { return f(x); }

int main() {
    volatile double big = 1e17, small = 3;
    double b = big, sum = big + small;
    auto rest = [b](double x) { return x - b; };                         //~ precision-loss: 52..53 bits lost
    std::function<double(double)> by_capture = [&sum](double x) { return sum - x; }; //~ precision-loss: 52..53 bits lost
    std::printf("%g\n", apply(rest, sum));
    std::printf("%g\n", by_capture(b));
    std::printf("%g\n", rest(b + 16));
}
