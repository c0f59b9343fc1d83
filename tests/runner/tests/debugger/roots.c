#include <math.h>
#include <stdio.h>

struct roots { double values[3]; float narrow; };

__attribute__((noinline)) void show(const double *values) {
    printf("%.3g\n", values[1]);
}

__attribute__((noinline)) void compute(double b, double c, struct roots *result) {
    double d = sqrt(b * b - 4 * c);
    double small = (-b + d) / 2;
    result->values[1] = small;
    result->narrow = (float)d;
}

int main(int argc, char **argv) {
    struct roots result = {{1, 2, 3}, 0};
    (void)argv;
    compute(1e8 * argc, 1, &result);
    show(result.values);
    return 0;
}
