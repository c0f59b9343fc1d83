// The float functions at ordinary arguments, and at huge ones that are exact.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile float in = 0.7f;
    float sum = 0, huge = 0x1p20f * (in > 0);
    for (int i = 0; i < 40; i++) {
        float x = in + (float)i;
        sum += fabsf(sinf(x)) + fabsf(cosf(x)) + sqrtf(x) + cbrtf(x) + logf(x) + atanf(x) + log1pf(x);
        sum += expf(-x) + tanhf(x) + hypotf(x, 1) + powf(x, 0.3f) + erff(x) + exp2f(-x) + log2f(x + 1);
    }
    printf("%.6g %.6g\n", (double)sum, (double)(sinf(huge) + cosf(huge)));
}
