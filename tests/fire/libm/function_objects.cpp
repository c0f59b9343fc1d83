// Mathematical functions as values of C++: std::function, a template's argument, a map of functions.
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

using Function = double (*)(double);

template <typename F> __attribute__((noinline)) double from_one(F f, double x) { return f(x) - 1; } //~ precision-loss: 33..53 bits lost

int main() {
    volatile double tiny = 1e-9;
    std::map<std::string, Function> functions{{"cos", ::cos}, {"exp", ::exp}};
    for (auto &[name, f] : functions) std::printf("%s %g\n", name.c_str(), from_one(f, tiny));
    std::function<double(double)> held = static_cast<Function>(::cosh);
    std::printf("%g\n", from_one(held, tiny));
}
