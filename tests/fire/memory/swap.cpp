// std::swap and std::exchange of doubles, and of the structs around them.
#include <cstdio>
#include <utility>

struct pair { double x, y; };

int main() {
    volatile double big = 1e17, small = 3;
    double a = big + small, b = 1;
    pair p{big + small, 2}, q{3, 4};
    std::swap(a, b);
    std::swap(p, q);
    double c = std::exchange(q.x, 0);
    std::printf("%g\n", b - big); //~ precision-loss: 52..53 bits lost
    std::printf("%g\n", c - big); //~ precision-loss: 52..53 bits lost
    std::printf("%g %g %g\n", a, p.x, q.y);
}
