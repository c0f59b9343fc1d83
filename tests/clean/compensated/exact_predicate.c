// An orientation test that first filters, then decides by an exact expansion (after Shewchuk).
#include <math.h>
#include <stdio.h>

static int orientation(const double *a, const double *b, const double *c) {
    double ax = a[0] - c[0], ay = a[1] - c[1], bx = b[0] - c[0], by = b[1] - c[1]; // exact for these points
    double left = ax * by, right = ay * bx, det = left - right;
    double bound = 3.4e-16 * (fabs(left) + fabs(right));
    if (det > bound) return 1;
    if (det < -bound) return -1;
    double left_error = fma(ax, by, -left), right_error = fma(ay, bx, -right);
    double bv = left - det, det_error = (left - (det + bv)) + (bv - right);
    double exact = det + (det_error + (left_error - right_error));
    return (exact > 0) - (exact < 0);
}

int main(void) {
    volatile double t = 0x1p-30;
    double a[] = {1 + t, 1}, b[] = {1, 1 - t}, c[] = {0, 0}, d[] = {0, 2};
    printf("%d %d %d\n", orientation(a, b, c), orientation(b, a, c), orientation(a, b, d));
}
