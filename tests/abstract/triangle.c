// Heron's formula for a needle. bound: A 1.42e-4 1.44e-4 precision-loss
#include <math.h>
#include <nonius.h>
int main(void) {
    volatile float a = 1.9999999f, b = 1.0f, c = 1.0f;
    float s = (a + b + c) / 2.0f;
    float A = sqrtf(s * (s - a) * (s - b) * (s - c));
    nonius_bounds(&A);
    return 0;
}
