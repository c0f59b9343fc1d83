// Steps below half an ulp never move the sum; gathered first they do.
#include <stdio.h>

float lost(float start, float step, int n) {
    float sum = start;
    for (int i = 0; i < n; i++) sum += step; //~ precision-loss: 4..12 bits lost
    return sum;
}
float gathered(float start, float step, int n) { return start + step * (float)n; }

int main(void) {
    volatile float start = 1, step = 5e-8f;
    printf("%.9g\n", (double)lost(start, step, 1000));
    printf("%.9g\n", (double)gathered(start, step, 1000));
}
