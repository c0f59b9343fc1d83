// Horner's rule with a second polynomial of its rounding errors: accurate beside a triple root.
#include <math.h>
#include <stdio.h>

static double evaluate(const double *a, int degree, double x) {
    double r = a[degree], c = 0;
    for (int i = degree - 1; i >= 0; i--) {
        double p = r * x, pe = fma(r, x, -p);
        double s = p + a[i], v = s - p, se = (p - (s - v)) + (a[i] - v);
        c = c * x + (pe + se);
        r = s;
    }
    return r + c;
}

int main(void) {
    volatile double x = 1.001;
    double a[] = {-1, 3, -3, 1};
    printf("%.12g\n", evaluate(a, 3, x));
}
