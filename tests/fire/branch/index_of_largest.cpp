// The place of the largest value is a decision, and so is what else is done with it: no mere maximum.
#include <cstdio>

int main() {
    volatile double a = 0.1, b = 0.6, c = 0.2;
    double x = a, y = b, z = c;
    // By real arithmetic both sums are the same, and the first is the largest.
    double most = (x + y) + z, second = x + (y + z);
    int largest = 0;
    if (second > most) { //~ branch-flip
        most = second;
        largest = 1;
    }
    std::printf("%d %.3g\n", largest, most);
}
