// Virtual calls, and members that hold the error in between.
#include <cstdio>

struct accumulator {
    virtual void add(double x) = 0;
    virtual double minus(double x) const = 0;
    virtual ~accumulator() = default;
};
struct plain : accumulator {
    double sum = 0;
    void add(double x) override { sum += x; }
    double minus(double x) const override { return sum - x; } //~ precision-loss: 52..53 bits lost
};
struct split : accumulator { // big and small values apart
    double big = 0, small = 0;
    void add(double x) override { (x > 1e9 ? big : small) += x; }
    double minus(double x) const override { return (big - x) + small; }
};

__attribute__((noinline)) double run(accumulator &a, double big, double small) {
    a.add(big);
    a.add(small);
    return a.minus(big);
}

int main() {
    volatile double big = 1e17, small = 3;
    plain p;
    split s;
    std::printf("%g\n", run(p, big, small));
    std::printf("%g\n", run(s, big, small));
}
