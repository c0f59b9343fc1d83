// The error of a stored value survives memcpy, and shows when the big part is subtracted.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) void copy(void *to, const void *from, size_t n) { memcpy(to, from, n); }

int main(void) {
    volatile double big = 1e17, small = 3;
    double a[4] = {0}, *b = malloc(sizeof a);
    for (int i = 0; i < 4; i++) a[i] = big + small;
    copy(b, a, sizeof a);
    for (int i = 0; i < 4; i++) a[i] = 0;
    printf("%g\n", b[2] - big); //~ precision-loss: 52..53 bits lost @output
    free(b);
}
