// Where one operand is NaN, its sign and payload go through every operation and format as they are, and a NaN that an
// operation makes has the processor's own sign. (Which of two NaNs an operation returns is the code generator's choice.)
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static double made(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float made_float(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void show(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    printf("%016llx\n", (unsigned long long)bits);
}

static void show_float(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    printf("%08x\n", bits);
}

#define KERNELS(T, NAME, FMA, SQRT)                                                                        \
    __attribute__((noinline)) static T sum_##NAME(T a, T b, T c) { return a + b + c; }                     \
    __attribute__((noinline)) static T mixed_##NAME(T a, T b, T c) { return (a - b) * c / (T)3 + SQRT(c); } \
    __attribute__((noinline)) static T fused_##NAME(T a, T b, T c) { return FMA(a, b, c); }                \
    __attribute__((noinline)) static T loop_##NAME(const T *x, int n) {                                    \
        T s = 0;                                                                                           \
        for (int i = 0; i < n; i++) s += x[i] * (T)0.5;                                                    \
        return -s;                                                                                         \
    }

KERNELS(double, double, fma, sqrt)
KERNELS(float, float, fmaf, sqrtf)

int main(void) {
    volatile double inf = INFINITY, one = 1.5;
    const uint64_t nans[] = {0x7ff8000000000000, 0xfff8000000012345, 0x7ff8dead00000001, 0xfffbeef000000000};
    for (int i = 0; i < 4; i++) {
        double n = made(nans[i]), x[] = {one, n, one, one * 3};
        show(sum_double(n, one, inf)), show(sum_double(one, n, inf)), show(sum_double(inf, one, n));
        show(mixed_double(n, one, one)), show(mixed_double(one, n, one));
        show(fused_double(n, one, inf)), show(fused_double(one, n, inf)), show(fused_double(one, inf, n));
        show(loop_double(x, 4)), show((float)n), show(fabs(n)), show(-n);
        float f = made_float((uint32_t)(nans[i] >> 32) | 0x400000), y[] = {(float)one, f, 2.5f};
        show_float(sum_float(f, 1, 2)), show_float(sum_float(1, f, 2)), show_float(sum_float(1, 2, f));
        show_float(mixed_float(f, 1, 2)), show_float(fused_float(1, f, 2)), show_float(loop_float(y, 3));
        show(f);
    }
    show(sum_double(inf, -inf, one)), show(fused_double(inf, one - 1.5, one)), show(mixed_double(inf, inf, one));
    show_float(sum_float((float)inf, -(float)inf, 1)), show_float(mixed_float(1, 2, -3));
}
