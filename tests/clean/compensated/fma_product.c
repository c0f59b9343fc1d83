// TwoProd by fma, and a dot product in twice the working precision (Ogita, Rump, Oishi).
#include <math.h>
#include <stdio.h>

static double dot2(const double *x, const double *y, int n) {
    double s = 0, c = 0;
    for (int i = 0; i < n; i++) {
        double p = x[i] * y[i], e = fma(x[i], y[i], -p);
        double t = s + p, z = t - s;
        c += ((s - (t - z)) + (p - z)) + e;
        s = t;
    }
    return s + c;
}

int main(void) {
    volatile double big = 1e10;
    double x[] = {2.718281828, -3.141592654, 1.414213562, 0.5772156649, 0.3010299957, big};
    double y[] = {1486.2497, 878366.9879, -22.37492, 4773714.647, 0.000185049, 1.25};
    printf("%.17g\n", dot2(x, y, 6));
}
