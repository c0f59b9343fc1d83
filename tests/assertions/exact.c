/* What exact arithmetic would have given, and how far the float is from it. */
#include <math.h>

volatile double tenth = 0.1, big = 1e16;

int main(void) {
    double t = tenth, s = 0;
    for (int i = 0; i < 10; i++)
        s += t;
    // Ten times the double next to a tenth.
    /*@ assert \exact(s) > 1 && \exact(s) < 1 + 1e-15; */
    /*@ assert s < 1; */
    /*@ assert \round_error(s) > 1e-17 && \round_error(s) < 1e-15; */
    /*@ assert \round_error(s) < 1e-17; */ //~ failed
    /*@ assert \exact(s) == 10 * t || \abs(\exact(s) - 10 * t) < 1e-20; */
    /*@ assert \exact(s) < s; */ //~ failed
    double lost = (big + 1) - big;
    /*@ assert \exact(lost) >= 0.999 && lost == 0; */
    /*@ assert accuracy_assert_derr(lost, -1.5, 1.5); */
    /*@ assert accuracy_assert_derr(lost, -0.5, 0.5); */ //~ failed
    /*@ assert accuracy_assert_drelerr(s, -1e-14, 1e-14); */
    /*@ assert \let (lo, hi) = accuracy_get_derr(lost); lo <= hi && hi < 0; */
    /*@ assert \let (lo, hi) = accuracy_get_dreal(lost); lo > 0.99 && hi < 1.01; */
    float f = (float)t;
    /*@ assert \round_error(f) < 2e-9; */
    long double l = (long double)t * 3;
    /*@ assert l > 3 * t - 1e-19 && l < 3 * t + 1e-19; */
    double r = sqrt(t);
    /*@ assert \exact(r) * \exact(r) - t < 1e-25; */
    return 0;
}
