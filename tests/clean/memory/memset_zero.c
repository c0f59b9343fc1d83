// Arrays that held errors are cleared by memset, bzero and assignment, and used again.
#include <stdio.h>
#include <string.h>
#include <strings.h>

static double a[16];
static struct { double v[8]; int n; } s;

__attribute__((noinline)) static void fill(double big, double small) {
    for (int i = 0; i < 16; i++) a[i] = big + small;
    for (int i = 0; i < 8; i++) s.v[i] = big + small;
}

int main(void) {
    volatile double big = 1e17, small = 3;
    fill(big, small);
    memset(a, 0, sizeof a);
    memset(&s, 0, sizeof s);
    printf("%g %g\n", a[3] + 1, s.v[3] + 1);
    fill(big, small);
    bzero(a, sizeof a);
    __typeof__(s) zero = {{0}, 0};
    s = zero;
    printf("%g %g\n", a[3] + 1, s.v[3] + 1);
}
