// Third moment of float samples about the origin, then shifted to the mean: the shift cancels.
#include <stdio.h>

float skew_sum(float s1, float s2, float s3, float n) {
    float m = s1 / n;
    return s3 - 3 * m * s2 + 3 * m * m * s1 - n * m * m * m; //~ precision-loss: 10..24 bits lost
}

int main(void) {
    volatile float base = 1000;
    float s1 = 0, s2 = 0, s3 = 0;
    for (int i = 0; i < 8; i++) {
        float x = base + (float)(i * i);
        s1 += x;
        s2 += x * x;
        s3 += x * x * x;
    }
    printf("%g\n", (double)skew_sum(s1, s2, s3, 8));
}
