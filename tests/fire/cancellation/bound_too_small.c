// A determinant that is held against something, but not against a bound of its error: one that is too small, one sign only, or a
// tolerance that has nothing to do with it.
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static double too_small(const double *a, const double *b) {
    double left = a[0] * b[1], right = a[1] * b[0];
    double det = left - right; //~ precision-loss: 40..53 bits lost
    double bound = 1e-25 * (fabs(left) + fabs(right));
    if (det > bound || -det > bound) return det;
    return 0;
}
__attribute__((noinline)) static double one_sign(const double *a, const double *b) {
    double left = a[0] * b[1], right = a[1] * b[0];
    double det = left - right; //~ precision-loss: 40..53 bits lost
    double bound = 3.4e-16 * (fabs(left) + fabs(right));
    if (det > bound) return det;
    return 1;
}
__attribute__((noinline)) static double tolerance(const double *a, const double *b) {
    double left = a[0] * b[1], right = a[1] * b[0];
    double det = left - right; //~ precision-loss: 40..53 bits lost
    if (fabs(det) > 1e-300) return det;
    return 0;
}

int main(void) {
    volatile double t = 0x1.8p-26, u = 0x1p-53;
    // The exact determinant is (1 + t)(1 - t + 16u) - (1 - u): twelve of the products' roundings.
    double a[] = {1 + t, 1 - u}, b[] = {1, 1 - t + 16 * u};
    printf("%d %d %d\n", too_small(a, b) > 0, one_sign(a, b) > 0, tolerance(a, b) > 0);
}
