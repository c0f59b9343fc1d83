// Recorded results, as tests of numerical code in C++ have them: a table, and a tolerance of a few ulps.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <vector>

static bool near(double a, double b) {
    const double ulp = std::numeric_limits<double>::epsilon() / 2;
    return std::abs(a - b) < ulp * std::max(std::abs(a), std::abs(b)) * 0.5;
}

int main() {
    volatile double step = 0.1;
    const double tenth = step;
    std::vector<double> steps(10, tenth);
    double sum = std::accumulate(steps.begin(), steps.end(), 0.0);
    const std::array<double, 2> expected = {0.9999999999999999, 0.9899999999999998};
    double square = sum * 0.99;
    int same = sum == expected[0];
    same += near(sum, expected[0]);
    if (sum != expected[0]) same = -100;
    same += std::fabs(square - 0.9899999999999998) < 1e-3;
    std::printf("%d\n", same);
}
