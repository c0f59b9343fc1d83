// nonius: opt=O0,O2
// Mean of squares minus square of mean, for readings far from zero; two passes are fine.
#include <iostream>
#include <numeric>
#include <vector>

double one_pass(const std::vector<double> &x) {
    double sum = 0, squares = 0, n = x.size();
    for (double v : x) {
        sum += v;
        squares += v * v;
    }
    return (squares - sum * sum / n) / (n - 1); //~ precision-loss: 40..53 bits lost
}

double two_pass(const std::vector<double> &x) {
    double mean = std::accumulate(x.begin(), x.end(), 0.0) / x.size(), squares = 0;
    for (double v : x) squares += (v - mean) * (v - mean);
    return squares / (x.size() - 1);
}

int main() {
    volatile double base = 1e10;
    std::vector<double> x(5);
    for (int i = 0; i < 5; i++) x[i] = base + i * i;
    std::cout << one_pass(x) << ' ' << two_pass(x) << '\n';
}
