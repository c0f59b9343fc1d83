// Constants that the optimizer works out: it folds a product and a sum as one operation, which the machine does not do.
// Whatever is kept from folding must not change them.
#include <math.h>
#include <stdio.h>

static double dot(const double *a, const double *b, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

static double horner(double x) {
    double c[] = {1, -7, 21, -35, 35, -21, 7, -1}, r = 0;
    for (int i = 0; i < 8; i++)
        r = r * x + c[i];
    return r;
}

static const double table[] = {0.1, 0.2, 0.3, 1e16, 1, -1e16};

static double mixed(int from) {
    double s = 0, p = 0;
    for (int i = from; i < 6; i++) {
        s += table[i];
        p = p * table[i] + 0.7;
    }
    return s + p;
}

int main(int argc, char **argv) {
    double x[] = {1e10, 1, 3}, y[] = {1e10, 1e-3, -1e20 / 3};
    printf("%a\n", dot(x, y, 3));
    printf("%a\n", horner(1.0001));
    printf("%a %a\n", mixed(0), mixed(3));
    printf("%a\n", mixed(argc));
    double big = 1e16, sum = (big + 1) - big;
    printf("%a %a\n", sum, big * 0.1 - 1e15);
    float f = 16777216;
    for (int i = 0; i < 1000; i++)
        f += 1;
    printf("%a %a\n", f, f * 0.1f - 1677721.6f);
    return 0;
}
