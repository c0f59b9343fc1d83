// Sums, differences and copies of subnormal numbers are exact; so is scaling them up.
#include <float.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    volatile double tiny = 0x1p-1074;
    volatile float tiny_f = 0x1p-149f;
    double a[3] = {tiny, tiny * 3, DBL_MIN}, b[3];
    memcpy(b, a, sizeof a);
    printf("%g %g\n", b[0] + b[1], (b[2] - b[1]) * 0x1p1022);
    printf("%g %g\n", (double)(tiny_f + tiny_f), (double)(tiny_f * 0x1p100f));
}
