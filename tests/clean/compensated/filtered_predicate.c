// A determinant whose sign is certain: it is held against a bound of its own error before it is returned.
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static double exact(double ax, double by, double ay, double bx) {
    double left = ax * by, right = ay * bx, det = left - right;
    double low = fma(ax, by, -left) - fma(ay, bx, -right);
    double bv = left - det;
    return det + (((left - (det + bv)) + (bv - right)) + low);
}
__attribute__((noinline)) static double orientation(const double *a, const double *b) {
    double left = a[0] * b[1], right = a[1] * b[0], det = left - right;
    double bound = 3.4e-16 * (fabs(left) + fabs(right));
    if (det > bound || -det > bound) return det;
    return exact(a[0], b[1], a[1], b[0]);
}
// The same by its size, in a variable that is changed.
__attribute__((noinline)) static double area(const double *a, const double *b) {
    double sum = a[0] * b[1];
    double size = fabs(sum) + fabs(a[1] * b[0]);
    sum -= a[1] * b[0];
    double bound = 4e-16 * size + 1e-30 * fabs(sum);
    if (fabs(sum) > bound) return sum;
    return exact(a[0], b[1], a[1], b[0]);
}

int main(void) {
    volatile double t = 0x1p-26;
    int signs = 0;
    for (int i = 1; i < 200; i++) {
        double a[] = {1 + t, 1 - i * 0x1p-53}, b[] = {1, 1 - t + 0x1p-52 - i * 0x1p-53};
        signs += orientation(a, b) > 0;
        signs += area(a, b) > 0;
    }
    printf("%d\n", signs);
}
