// nonius: opt=O0,O2
// 500 times 0.1 in single precision drifts; one multiplication does not.
#include <stdio.h>

float added(float step, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += step; //~ precision-loss: 4..9 bits lost
    return sum;
}
float multiplied(float step, int n) { return step * (float)n; }

int main(void) {
    volatile float step = 0.1f;
    printf("%.9g %.9g\n", (double)added(step, 500), (double)multiplied(step, 500));
}
