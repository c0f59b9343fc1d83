// nonius: opt=O0,O2
// 500 times 0.1 in single precision drifts; one multiplication does not.
#include <iostream>

template <class T> T added(T step, int n) {
    T sum = 0;
    for (int i = 0; i < n; i++) sum += step; //~ precision-loss: 4..9 bits lost
    return sum;
}
template <class T> T multiplied(T step, int n) { return step * T(n); }

int main() {
    volatile float step = 0.1f;
    std::cout << added<float>(step, 500) << ' ' << multiplied<float>(step, 500) << '\n';
}
