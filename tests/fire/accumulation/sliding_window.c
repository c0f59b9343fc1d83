// A window's sum kept by adding the new and subtracting the old value never forgets a spike.
#include <stdio.h>

static float window[4], sum;

__attribute__((noinline)) void push(int i, float x) {
    sum += x - window[i % 4]; //~ precision-loss: 4..24 bits lost @store
    window[i % 4] = x;
}
__attribute__((noinline)) float fresh(void) { return window[0] + window[1] + window[2] + window[3]; }

int main(void) {
    volatile float quiet = 0.3f, spike = 1e9f;
    for (int i = 0; i < 12; i++) push(i, i == 5 ? spike : quiet);
    printf("%g %g\n", (double)sum, (double)fresh());
}
