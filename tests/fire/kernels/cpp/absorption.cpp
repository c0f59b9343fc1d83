// nonius: opt=O0,O2,O2-lto,O2-thin
// The small term vanishes beside the big one; in another order it survives.
#include <iostream>

struct Sum {
    double value = 0;
    Sum &operator+=(double x) {
        value += x; //~ precision-loss: 52..53 bits lost
        return *this;
    }
};

int main() {
    volatile double big = 1e16, small = 1;
    Sum bad, good;
    bad += big, bad += small, bad += -big;
    good += big, good += -big, good += small;
    std::cout << bad.value << ' ' << good.value << '\n';
}
