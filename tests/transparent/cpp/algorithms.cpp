// nonius: opt=O0,O1,O2,O3,O2-fast,O2-native,O3-v3-fast
// Standard algorithms over doubles: orders, counts of comparisons, accumulations.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

int main() {
    std::vector<double> v(500), w(500);
    int comparisons = 0;
    for (int i = 0; i < 500; i++) v[i] = std::sin(i * 1.7) * 10;
    std::sort(v.begin(), v.end(), [&](double a, double b) { return comparisons++, a < b; });
    std::partial_sum(v.begin(), v.end(), w.begin());
    std::stable_partition(w.begin(), w.end(), [](double x) { return std::fmod(x, 3) > 0; });
    std::nth_element(w.begin(), w.begin() + 100, w.end());
    std::rotate(v.begin(), v.begin() + 123, v.end());
    std::make_heap(v.begin(), v.begin() + 50);
    std::transform(v.begin(), v.end(), w.begin(), w.begin(), [](double a, double b) { return a / (std::abs(b) + 1); });
    std::printf("%a %a %d\n", std::accumulate(w.begin(), w.end(), 0.0), std::inner_product(v.begin(), v.end(), w.begin(), 0.0), comparisons);
    std::printf("%a %a %a\n", *std::max_element(w.begin(), w.end()), v[7], w[100]);
}
