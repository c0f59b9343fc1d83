// A value thrown, caught and used; and a result that reaches its caller through a handler.
#include <cstdio>

struct failure { double sum; };

__attribute__((noinline)) void thrower(double big, double small) { throw failure{big + small}; }

__attribute__((noinline)) double catcher(double big, double small) {
    double local = big + small;
    try {
        thrower(big, small);
    } catch (const failure &f) {
        std::printf("%g\n", f.sum - big); //~ precision-loss: 52..53 bits lost
        return local - big;              //~ precision-loss: 52..53 bits lost
    }
    return 0;
}

int main() {
    volatile double big = 1e17, small = 3;
    std::printf("%g\n", catcher(big, small));
}
