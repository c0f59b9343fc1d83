// Quotients and products that look like those that libraries make on purpose: a divisor is 0 because two numbers are the same,
// a product is too large because its factors are.
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static double slope(double x, double y, double u, double v) {
    return (y - v) / (x - u); //~ nan
}
__attribute__((noinline)) static double inverse(double x, double y) {
    return 1 / (x - y); //~ inf
}
__attribute__((noinline)) static double energy(double m, double v) {
    double mv = m * v;
    return mv * v; //~ inf
}
__attribute__((noinline)) static double scaled(double x) {
    return x * 1e300; //~ inf
}

int main(void) {
    volatile double in[] = {2, 2, 3, 3, 1e200};
    int nans = isnan(slope(in[0], in[2], in[1], in[3])) != 0;
    int infinities = (isinf(inverse(in[0], in[1])) != 0) + (isinf(energy(in[0], in[4])) != 0) + (isinf(scaled(in[4])) != 0);
    printf("%d %d\n", nans, infinities);
}
