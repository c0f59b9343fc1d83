// Numbers of all digits that values are held against: equalities that are missed, tolerances that are, and values that are
// wrong by more than is allowed. And equalities with numbers of few digits.
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static double times(int n, double step) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += step;
    return sum;
}

int main(void) {
    volatile double a = 0.1, b = 0.2, c = 0.3, large = 1e11, factor = 1.1;
    volatile int n = 10;
    double sum = a + b + c;
    if (sum == 0.6) puts("equal"); //~ branch-flip
    if (fabs(sum - 0.6) < 1e-16) puts("near"); //~ branch-flip
    double bad = ((large + c) - large) * factor;
    if (bad == 0.33000335693359377) puts("as it was"); //~ branch-flip
    double whole = times(n, a);
    if (whole == 1.0) puts("whole"); //~ branch-flip
}
