// 1 + 1/2 + 1/3 + ... in float, largest first: late terms are mostly rounded away.
#include <stdio.h>

float in_float(int n) {
    float sum = 0;
    for (int i = 1; i <= n; i++) sum += 1.0f / (float)i; //~ precision-loss: 4..20 bits lost
    return sum;
}
float in_double(int n) {
    double sum = 0;
    for (int i = 1; i <= n; i++) sum += 1.0 / i;
    return (float)sum;
}

int main(void) {
    volatile int n = 200000;
    printf("%.9g\n", (double)in_float(n));
    printf("%.9g\n", (double)in_double(n));
}
