// Simpson's rule in float with the abscissa advanced by adding h; from the index it stays accurate.
#include <stdio.h>

float drifting(int n, float h) {
    float sum = 4, x = 0;
    for (int i = 1; i < n; i++) {
        x += h;
        sum += (i % 2 ? 4 : 2) * (4 / (1 + x * x)); //~ precision-loss: 4..20 bits lost [O0]
    }
    return (sum + 2) * h / 3; //~ precision-loss: 4..20 bits lost [O2,O3]
}

double indexed(int n, double h) {
    double sum = 4;
    for (int i = 1; i < n; i++) sum += (i % 2 ? 4 : 2) * (4 / (1 + i * h * (i * h)));
    return (sum + 2) * h / 3;
}

int main(void) {
    volatile int n = 20000;
    printf("%.9g %.9g\n", (double)drifting(n, 1.0f / (float)n), indexed(n, 1.0 / n));
}
