// nonius: opt=O0,O2 options=constants=exact
// The big terms of a dot product cancel; those of the absolute values do not.
#include <math.h>
#include <stdio.h>

double dot(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i]; //~ precision-loss: 50..53 bits lost
    return sum;
}

int main(void) {
    volatile double one = 1;
    double x[] = {2.718281828, -3.141592654, 1.414213562, 0.5772156649, 0.3010299957};
    double y[] = {1486.2497, 878366.9879, -22.37492, 4773714.647, 0.000185049};
    for (int i = 0; i < 5; i++) x[i] *= one;
    printf("%.17g\n", dot(x, y, 5));
    for (int i = 0; i < 5; i++) x[i] = fabs(x[i]), y[i] = fabs(y[i]);
    printf("%.17g\n", dot(x, y, 5));
}
