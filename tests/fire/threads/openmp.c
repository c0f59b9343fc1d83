// nonius: flags=-fopenmp
// Parallel loops: each thread computes with shadows of its own, and reads from memory what others computed. A reduction
// brings the threads' shadows together.
#include <stdio.h>

static double kept[64], rest[64];

int main(void) {
    volatile double big = 1e17, small = 3;
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < 64; i++)
        kept[i] = big + small * i;
#pragma omp parallel for schedule(static, 7)
    for (int i = 0; i < 64; i++)
        rest[i] = kept[i] - big; //~ precision-loss: 52..53 bits lost
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 64; i++)
        sum += kept[i] * 0x1p-20;
    double least = sum - 64 * big * 0x1p-20; //~ precision-loss: 46..53 bits lost
    printf("%g %g\n", rest[63], least);
}
