// One template, three formats: each loses its own number of bits.
#include <cstdio>

template <class T> __attribute__((noinline)) T rest(T big, T small) {
    T sum = big + small;
    return sum - big; //~ precision-loss: 22..64 bits lost
}

int main() {
    volatile float f = 1e9f;
    volatile double d = 1e17;
    volatile long double l = 1e21L;
    std::printf("%g\n", double(rest<float>(f, 3)));
    std::printf("%g\n", rest<double>(d, 3));
    std::printf("%g\n", double(rest<long double>(l, 3)));
    std::printf("%g\n", rest<double>(d, 16));
}
