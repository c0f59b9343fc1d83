// The same with objects in memory: a determinant that cancels to its last bits, and is right.
#include <cmath>
#include <cstdio>

struct dd {
    double high, low;
};
__attribute__((noinline)) static void product(dd &r, double a, double b) {
    r.high = a * b;
    r.low = std::fma(a, b, -r.high);
}
__attribute__((noinline)) static double difference(const dd &a, const dd &b) {
    return (a.high - b.high) + (a.low - b.low);
}

int main() {
    volatile double a = 1 + 0x1p-30, b = 1, c = 1 - 0x1p-52, d = 1 - 0x1p-30;
    dd ad, bc;
    product(ad, a, d);
    product(bc, b, c);
    std::printf("%g\n", difference(ad, bc));
}
