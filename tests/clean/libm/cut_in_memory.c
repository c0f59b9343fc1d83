// Numbers that are cut in two by a large power of two, by way of an array, as RANLUX does it: what is left of each is its lower
// part, and as exact.
#include <stdio.h>

static const double shift = 268435456.0;
volatile double seeds[12] = {0x0.123456789abcp0, 0x0.fedcba987654p0, 0x0.0f1e2d3c4b5ap0, 0x0.9e3779b97f4ap0,
                             0x0.6a09e667f3bcp0, 0x0.bb67ae8584cap0, 0x0.3c6ef372fe94p0, 0x0.a54ff53a5f1dp0,
                             0x0.510e527fade6p0, 0x0.9b05688c2b3ep0, 0x0.1f83d9abfb41p0, 0x0.5be0cd19137ep0};
struct state { double x[12], y[12]; float parts[24]; } state;

__attribute__((noinline)) static void cut(struct state *s) {
    double *x = s->x, *y = s->y;
    for (int k = 0; k < 12; k++) y[k] = x[k] + shift;
    for (int k = 0, m = 0; k < 12; k++) {
        double high = y[k] - shift;
        if (high > x[k]) high -= 1.0 / 16777216.0;
        double low = (x[k] - high) * 16777216.0;
        s->parts[m++] = (float)low;
        s->parts[m++] = (float)high;
    }
}

int main(void) {
    for (int k = 0; k < 12; k++) state.x[k] = seeds[k];
    cut(&state);
    unsigned long sum = 0;
    for (int k = 0; k < 24; k++) sum += (unsigned long)(state.parts[k] * 16777216.0);
    printf("%lu\n", sum);
}
