// Distance on a globe by the law of cosines: acos of almost 1. The haversine form is stable.
#include <math.h>
#include <stdio.h>

double cosines(double a, double b, double d) {
    return 6371 * acos(sin(a) * sin(b) + cos(a) * cos(b) * cos(d)); //~ precision-loss: 38..53 bits lost
}
double haversine(double a, double b, double d) {
    double u = sin((b - a) / 2), v = sin(d / 2);
    return 6371 * 2 * asin(sqrt(u * u + cos(a) * cos(b) * v * v));
}

int main(void) {
    volatile double a = 0.875, b = 0.875 + 0x1p-21, d = 0x1p-22;
    printf("%.17g\n", cosines(a, b, d));
    printf("%.17g\n", haversine(a, b, d));
}
