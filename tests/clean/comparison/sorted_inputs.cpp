// Sorting and searching inputs as they were read: nothing to flip.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    std::vector<double> v;
    for (int i = 0; i < 200; i++) v.push_back((i * 7919 % 200) / 8.0);
    std::sort(v.begin(), v.end());
    auto at = std::lower_bound(v.begin(), v.end(), 12.5);
    std::nth_element(v.begin(), v.begin() + 50, v.end(), std::greater<>());
    std::printf("%g %g %d\n", *at, v[50], int(std::count_if(v.begin(), v.end(), [](double x) { return x < 5; })));
}
