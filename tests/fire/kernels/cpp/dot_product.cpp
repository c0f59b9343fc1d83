// nonius: opt=O0,O2 options=constants=exact
// The big terms of a dot product cancel; those of the absolute values do not.
#include <cmath>
#include <cstddef>
#include <iostream>
#include <vector>

double dot(const std::vector<double> &x, const std::vector<double> &y) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); i++) sum += x[i] * y[i]; //~ precision-loss: 50..53 bits lost
    return sum;
}

int main() {
    volatile double one = 1;
    std::vector<double> x = {2.718281828, -3.141592654, 1.414213562, 0.5772156649, 0.3010299957};
    std::vector<double> y = {1486.2497, 878366.9879, -22.37492, 4773714.647, 0.000185049};
    for (double &v : x) v *= one;
    std::cout << dot(x, y) << '\n';
    for (double &v : x) v = std::fabs(v);
    for (double &v : y) v = std::fabs(v);
    std::cout << dot(x, y) << '\n';
}
