// Vectors that shrink, grow, are cleared and refilled; strings in memory that held doubles.
#include <cstdio>
#include <string>
#include <vector>

int main() {
    volatile double in = 1e17, small = 3;
    double big = in;
    std::vector<double> v(64, big + small);
    v.clear();
    v.resize(64, big);
    std::printf("%g\n", v[5] - big);
    std::vector<double>().swap(v);
    std::string text(512, 'x');
    std::vector<double> w(64, big);
    w.erase(w.begin(), w.begin() + 3);
    std::printf("%g %zu\n", w[5] - big, text.size());
}
