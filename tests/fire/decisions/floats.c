// In float, and on vectors: the sums of ten and of 155 tenths.
#include <math.h>
#include <stdio.h>

float sum_of(float part, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += part;
    return sum;
}

void floors(float *to, const float *from, int n) {
    for (int i = 0; i < n; i++) to[i] = floorf(from[i]); //~ cast-flip
}

int main(void) {
    volatile float tenth = 0.1f;
    float two = sum_of(tenth, 20); // 2.0000002, less than 2 + 3e-8 exactly
    float whole = ceilf(two);      //~ cast-flip
    printf("%g\n", whole);
    float from[16], to[16];
    for (int i = 0; i < 16; i++) from[i] = sum_of(tenth, 50 + i % 2);
    floors(to, from, 16);
    printf("%g %g\n", to[0], to[15]);
}
