// nonius: opt=O0,O1,O2,O3,O2-native,O2-contract,O3-v3-fast
// (Left out: where the code generator reassociates by the latencies around a sum, which shadow code changes.)
// The bits of long chaotic iterations: one flipped bit anywhere would change everything after it.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t hash = 14695981039346656037u;
static void add(double x) {
    uint64_t bits;
    memcpy(&bits, &x, 8);
    hash = (hash ^ bits) * 1099511628211u;
}

int main(void) {
    volatile double in = 0.4;
    double x = in, hx = in, hy = 0, lx = 1, ly = 1, lz = in;
    float f = (float)in;
    for (int i = 0; i < 20000; i++) {
        x = 3.999 * x * (1 - x);
        f = 3.9f * f * (1 - f);
        double nx = 1 - 1.4 * hx * hx + hy;
        hy = 0.3 * hx, hx = nx;
        double dx = 10 * (ly - lx), dy = lx * (28 - lz) - ly, dz = lx * ly - 8.0 / 3 * lz;
        lx += 0.005 * dx, ly += 0.005 * dy, lz += 0.005 * dz;
        add(x), add(f), add(hx), add(lx + ly * lz);
        if (i % 5000 == 0) printf("%a %a %a %a\n", x, (double)f, hx, lz);
    }
    printf("%016lx\n", hash);
}
