// Which side of a line a point lies on, decided by a determinant that is all rounding.
#include <stdio.h>

int left_of(double ax, double ay, double bx, double by, double cx, double cy) {
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0; //~ branch-flip
}

int main(void) {
    // An ulp off the diagonal, and still called collinear.
    volatile double x = 0.5, y = 0.5 + 0x1p-53;
    printf("%d\n", left_of(x, y, 12, 12, 24, 24));
    printf("%d\n", left_of(0, 0, 1, 0, 0, 1));
}
