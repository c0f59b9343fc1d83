// nonius: options=constants=exact
// Functions that give a second result through a pointer hand their argument's error on to both; what was exact before stays so.
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

NOINLINE double turned(double angle, double from) {
    double sine, cosine;
    sincos(angle, &sine, &cosine);
    return sine * cosine - from; //~ precision-loss: 30..53 bits lost @return
}
NOINLINE double behind_the_point(double x, double from) {
    double whole;
    return modf(x, &whole) - from; //~ precision-loss: 30..53 bits lost @return
}
NOINLINE double fraction(double x, double from) {
    int exponent;
    return frexp(x, &exponent) - from; //~ precision-loss: 30..53 bits lost @return
}
NOINLINE double rest(double x, double from) {
    int quotient;
    return remquo(x, 2, &quotient) - from; //~ precision-loss: 30..53 bits lost @return
}
NOINLINE double gamma_of(double x, double from) {
    int sign;
    return lgamma_r(x, &sign) - from; //~ precision-loss: 30..53 bits lost @return
}
// The stable forms: of exact arguments, nothing is taken away.
NOINLINE double direct(double x) {
    double sine, cosine, whole;
    int n;
    sincos(x, &sine, &cosine);
    return sine + cosine + modf(x, &whole) + whole + frexp(x, &n) + remquo(x, 2, &n) + lgamma_r(x, &n);
}

int main(void) {
    volatile double third = 1.0, three = 3.0;
    double x = third / three + 1; // 4/3, rounded
    double sine, cosine, whole;
    int n;
    sincos(4 / 3.0, &sine, &cosine);
    int small = turned(x * (1 + 2e-15), sine * cosine) < 1;
    small += behind_the_point(x * (1 + 2e-15), modf(4 / 3.0, &whole)) < 1;
    small += fraction(x * (1 + 2e-15), frexp(4 / 3.0, &n)) < 1;
    small += rest(x * (1 + 2e-15), remquo(4 / 3.0, 2, &n)) < 1;
    small += gamma_of(x * (1 + 2e-15), lgamma_r(4 / 3.0, &n)) < 1;
    printf("%d %.3f\n", small, direct(2.25));
    return 0;
}
