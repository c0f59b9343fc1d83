// Veltkamp's splitting and Dekker's product: exact products without fma.
#include <stdio.h>

struct pair { double high, low; };

static struct pair split(double a) {
    double c = 134217729.0 * a, high = c - (c - a);
    return (struct pair){high, a - high};
}
__attribute__((noinline)) static struct pair two_product(double a, double b) {
    struct pair x = split(a), y = split(b);
    double p = a * b;
    return (struct pair){p, x.low * y.low - (((p - x.high * y.high) - x.low * y.high) - x.high * y.low)};
}

int main(void) {
    volatile double a = 0.1, b = 0.3;
    struct pair p = two_product(a, b), q = two_product(a + 1, b + 1);
    printf("%.17g %.17g\n", p.high, (q.high - p.high) + (q.low - p.low));
}
