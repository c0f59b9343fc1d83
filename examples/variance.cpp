// The variance as "mean of squares minus square of the mean", in one pass over the data.
// With a mean far from zero, two huge and nearly equal numbers are subtracted. The true answer is 2/3.
#include <cstdlib>
#include <iostream>
#include <vector>

static double variance(const std::vector<double> &xs) {
    double sum = 0, squares = 0;
    for (double x : xs) {
        sum += x;
        squares += x * x;
    }
    double n = static_cast<double>(xs.size()), mean = sum / n;
    return squares / n - mean * mean;
}

int main(int argc, char **argv) {
    double offset = argc > 1 ? std::atof(argv[1]) : 1e9;
    std::vector<double> xs = {offset + 1, offset + 2, offset + 3};
    std::cout << "variance of 1, 2, 3 shifted by " << offset << ": " << variance(xs) << '\n';
}
