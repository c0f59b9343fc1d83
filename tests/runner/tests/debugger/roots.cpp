#include <cmath>
#include <cstdio>

template <int N> struct Roots { double values[N]; float narrow; };

__attribute__((noinline)) void show(const double *values) {
    printf("%.3g\n", values[1]);
}

__attribute__((noinline)) void compute(double b, double c, Roots<3> *result) {
    double d = std::sqrt(b * b - 4 * c);
    double small = (-b + d) / 2;
    result->values[1] = small;
    result->narrow = (float)d;
}

int main(int argc, char **argv) {
    Roots<3> result = {{1, 2, 3}, 0};
    (void)argv;
    compute(1e8 * argc, 1, &result);
    show(result.values);
    return 0;
}
