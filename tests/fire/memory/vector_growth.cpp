// A std::vector that grows moves its elements to new memory.
#include <cstdio>
#include <vector>

int main() {
    volatile double big = 1e17, small = 3;
    std::vector<double> v;
    for (int i = 0; i < 100; i++) v.push_back(i == 1 ? big + small : i);
    v.insert(v.begin(), -1.0);
    std::vector<double> copy = v;
    std::printf("%g\n", copy[2] - big); //~ precision-loss: 52..53 bits lost
    std::printf("%g\n", copy[50] - 49);
}
