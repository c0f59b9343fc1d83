// nonius: opt=O0,O1,O2,O3,O2-native,O2-contract,O2-fast
// (Left out: where the code generator reassociates by the latencies around a sum, which shadow code changes.)
// Kahan, TwoSum, double-double: code that fast-math flags change, and that Nonius must not.
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static double kahan(const double *a, int n) {
    double sum = 0, c = 0;
    for (int i = 0; i < n; i++) {
        double y = a[i] - c, t = sum + y;
        c = (t - sum) - y;
        sum = t;
    }
    return sum;
}
__attribute__((noinline)) static double two_sum(double a, double b, double *e) {
    double s = a + b, v = s - a;
    *e = (a - (s - v)) + (b - v);
    return s;
}
__attribute__((noinline)) static double shifted(double x) { return (x + 6755399441055744.0) - 6755399441055744.0; }

int main(void) {
    double a[300], e, s = 0, c = 0;
    for (int i = 0; i < 300; i++) a[i] = pow(-1.1, i % 40) / 3;
    for (int i = 0; i < 300; i++) s = two_sum(s, a[i], &e), c += e;
    printf("%a %a %a %a\n", kahan(a, 300), s, c, s + c);
    for (int i = 0; i < 10; i++) printf("%a\n", shifted(a[i] * 10));
}
