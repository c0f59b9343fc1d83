// nonius: flags=-fno-slp-vectorize
// (The vectorizer of straight-line code keeps one source line for all operations that it joins.)
// The float variants are compared with the function in double, not with their own steps.
#include <math.h>
#include <stdio.h>

float r[8];
static volatile float x = 1e-3f, one = 1, big = 3e4f;

int main(void) {
    r[0] = one - cosf(x);                   //~ precision-loss: 4..24 bits lost
    r[1] = expf(x) - one - x;               //~ precision-loss: 4..24 bits lost
    r[2] = logf(one + x) - x;               //~ precision-loss: 4..24 bits lost
    r[3] = sinf(x) - x;                     //~ precision-loss: 4..24 bits lost
    r[4] = hypotf(big, one) - big;          //~ precision-loss: 4..24 bits lost
    r[5] = powf(one + x * x, 2) - one;      //~ precision-loss: 4..24 bits lost
    r[6] = expm1f(x) + log1pf(x) + tanf(x);
    r[7] = sqrtf(big) + cbrtf(big) + atan2f(one, big);
    for (int i = 0; i < 8; i++) printf("%g\n", (double)r[i]);
}
