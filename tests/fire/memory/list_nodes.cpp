// A value inside a map's node, a unique_ptr and an optional.
#include <cstdio>
#include <map>
#include <memory>
#include <optional>

int main() {
    volatile double big = 1e17, small = 3;
    std::map<int, double> map{{1, 1.0}, {2, big + small}};
    auto pointer = std::make_unique<double>(big + small);
    std::optional<double> maybe = big + small;
    auto moved = std::move(pointer);
    std::printf("%g\n", map[2] - big);  //~ precision-loss: 52..53 bits lost
    std::printf("%g\n", *moved - big);  //~ precision-loss: 52..53 bits lost
    std::printf("%g\n", *maybe - big);  //~ precision-loss: 52..53 bits lost
    std::printf("%g\n", map[1] - 1);
}
