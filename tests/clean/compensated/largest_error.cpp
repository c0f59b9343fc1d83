// The largest of rounding errors, by std::max and std::min, which take them by reference, and their order.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>
struct Err { double largest = 0, total = 0; };
static double two_sum(double a, double b, double &low) {
    double s = a + b, z = s - a;
    low = (a - (s - z)) + (b - z);
    return s;
}
__attribute__((noinline)) static double run(const std::vector<double> &v, Err &e) {
    double s = 0, smallest = 1;
    for (double x : v) {
        double low;
        s = two_sum(s, x, low);
        e.largest = std::max(e.largest, std::abs(low));
        smallest = std::min<double>(smallest, low);
        e.total += low;
        double t = s + x, err = x - (t - s);
        e.largest = std::max(std::fabs(err), e.largest);
        const double &m = std::max(low, err);
        if (m > e.total) printf(".");
        smallest = std::clamp(err, -1.0, smallest);
    }
    std::vector<double> lows(v.size());
    double highest = 0;
    for (size_t i = 1; i < v.size(); i++) highest = std::max(highest, two_sum(v[i - 1], v[i], lows[i]));
    auto it = std::max_element(lows.begin(), lows.end());
    std::sort(lows.begin(), lows.end());
    printf("%d %d %.17g %d\n", smallest < 0, *it > 0, highest, (int)(lows[3] < 0));
    return s + e.total;
}
int main() {
    std::vector<double> v;
    volatile double q = 0.1;
    for (int i = 0; i < 30; i++) v.push_back(q * (i + 1) * (i % 3 ? 1e5 : 1));
    Err e;
    double r = run(v, e);
    printf("%.17g %d\n", r, e.largest > 0);
}
