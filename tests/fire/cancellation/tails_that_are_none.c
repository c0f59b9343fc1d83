// nonius: open=double-double
// What looks like compensation, and is none: the tail of another sum, and tails that are printed for themselves.
#include <stdio.h>

__attribute__((noinline)) static double tail(double a, double b, double x) {
    double bv = x - a, av = x - bv;
    return (a - av) + (b - bv); //~ precision-loss: 52..53 bits lost @output
}
__attribute__((noinline)) static double minus(double s, double t) { return s - t; } //~ precision-loss: 52..53 bits lost @output

int main(void) {
    volatile double in[] = {0.1, 0.6, 0.2};
    double a = in[0], b = in[1], c = in[2];
    // By real arithmetic the same sum, but not the one that was rounded.
    double s = (a + b) + c, other = b + c;
    printf("%.3g %d\n", s, tail(other, a, s) != 0); //~ branch-flip
    // Nothing but rounding error, and nobody keeps the sum.
    printf("%.3g\n", tail(a, c, a + c)); //~ precision-loss: 52..53 bits lost @output
    printf("%.3g\n", minus(minus(a + c, a), c)); //~ precision-loss: 52..53 bits lost @output
}
