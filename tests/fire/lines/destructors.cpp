// Returns with something to tidy up behind them: all of them pass through one end.
#include <cmath>
#include <cstdio>

static int tidied;
struct Guard {
    ~Guard() { tidied++; }
};

__attribute__((noinline)) double pick(double x, int k) {
    Guard guard;
    if (k == 1)
        return (std::sqrt(x + 1) - std::sqrt(x)) * 2; //~ precision-loss: 45..53 bits lost
    if (k == 2)
        return std::cos(1 / x) - 1;
    return x;
}
__attribute__((noinline)) double caught(double x, int k) {
    try {
        if (k == 7)
            throw 7;
        Guard guard;
        return std::sqrt(x + 2) - std::sqrt(x); //~ precision-loss: 45..53 bits lost
    } catch (int n) {
        return std::cos(n / x) - 1;
    }
}

int main() {
    volatile double x = 1e15;
    volatile int k = 1;
    std::printf("%g\n", pick(x, k));
    std::printf("%g %d\n", caught(x, k), tidied);
}
