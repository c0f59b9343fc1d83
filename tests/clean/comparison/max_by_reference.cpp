// Larger and smaller of two rounding errors: by reference, by a branch, and in a variable that keeps the largest.
#include <algorithm>
#include <cmath>
#include <cstdio>

static double product_error(double a, double b, double &p) {
    p = a * b;
    return std::fma(a, b, -p);
}
static double larger(double a, double b) {
    if (a > b) return a;
    return b;
}

int main() {
    volatile double tenth = 0.1;
    double most = 0, least = 0, high = 0, low = 0, both = 0;
    for (int i = 1; i < 20; i++) {
        double p, q, a = tenth * i;
        // The products are not kept: their errors are pure rounding errors.
        double e = product_error(a, 3 + tenth, p), f = product_error(a, 7 - tenth, q);
        double g = a * 3 - a - a - a, h = a * 7 / 7 - a;
        const double &larger_error = std::max(g, h), &smaller_error = std::min(g, h);
        high += larger_error;
        low += smaller_error;
        both += larger(g, h) + (g < h ? g : h);
        if (e > most) most = e;
        least = f < least ? f : least;
    }
    std::printf("%d %d\n", most < 1, least < 1);
    std::printf("%d\n", high + low - both < 1e-10);
}
