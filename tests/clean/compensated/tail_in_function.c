// What a sum, difference or product has lost, worked out in a function of its own, and compared with 0.
#include <stdio.h>

__attribute__((noinline)) static double sum_tail(double a, double b, double x) {
    double bv = x - a, av = x - bv;
    return (a - av) + (b - bv);
}
__attribute__((noinline)) static double difference_tail(double a, double b, double x) {
    double bv = a - x, av = x + bv;
    return (a - av) + (bv - b);
}
__attribute__((noinline)) static double fast_tail(double a, double b, double x) { return b - (x - a); }

struct halves { double high, low; };
__attribute__((noinline)) static struct halves split(double a) {
    double c = 134217729.0 * a, big = c - a, high = c - big;
    return (struct halves){high, a - high};
}
__attribute__((noinline)) static double product_tail(double a, double b, double x) {
    struct halves p = split(a), q = split(b);
    double e1 = x - p.high * q.high, e2 = e1 - p.low * q.high, e3 = e2 - p.high * q.low;
    return p.low * q.low - e3;
}

int main(void) {
    volatile double in[] = {0.1, 1e5, 3e-9, 0.7};
    int inexact = 0;
    double total = 0, rest = 0, both = 0, both_low = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double a = in[i], b = in[j], sum = a + b, difference = a - b, product = a * b;
            double s = sum_tail(a, b, sum), d = difference_tail(a, b, difference), p = product_tail(a, b, product);
            inexact += (s != 0) + (d > 0) + (p < 0);
            both += sum * sum + difference * difference;
            both_low += 2 * (s * sum + d * difference);
            double next = total + product;
            if (product < total) rest += fast_tail(total, product, next) + p;
            else rest += fast_tail(product, total, next) + p;
            total = next;
        }
    printf("%d %.17g %.17g\n", inexact, total + rest, both + both_low);
}
