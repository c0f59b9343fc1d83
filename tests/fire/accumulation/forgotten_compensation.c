// Kahan's sum without its last step: the compensation is worked out each time and never taken from what comes next.
// Beside it the whole.
#include <stdio.h>

__attribute__((noinline)) static float forgetful(const float *x, int n) {
    float sum = 0, c = 0;
    for (int i = 0; i < n; i++) {
        float y = x[i];
        float t = sum + y; //~ precision-loss: 16..18 bits lost
        c = (t - sum) - y;
        sum = t;
    }
    return sum;
}

__attribute__((noinline)) static float compensated(const float *x, int n) {
    float sum = 0, c = 0;
    for (int i = 0; i < n; i++) {
        float y = x[i] - c;
        float t = sum + y;
        c = (t - sum) - y;
        sum = t;
    }
    return sum;
}

static float x[1000000];

int main(void) {
    for (int i = 0; i < 1000000; i++)
        x[i] = 0.1f;
    printf("%g %g\n", forgetful(x, 1000000), compensated(x, 1000000));
}
