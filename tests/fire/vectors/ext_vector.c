// Vector types of the compiler: each lane has its own error, and only the bad lanes report.
#include <stdio.h>

typedef double v4 __attribute__((ext_vector_type(4)));
typedef float v8f __attribute__((ext_vector_type(8)));

__attribute__((noinline)) void rest(const v4 *big, const v4 *small, v4 *out) {
    *out = (*big + *small) - *big; //~ precision-loss: 52..53 bits lost @store
}
__attribute__((noinline)) void rest_float(const v8f *big, const v8f *small, v8f *out) {
    *out = (*big + *small) - *big; //~ precision-loss: 23..24 bits lost @store
}

int main(void) {
    volatile double b = 1e17;
    volatile float f = 1e9f;
    v4 big = {1, b, 2, 4}, small = {1, 3, 1, 1}, out;
    v8f bigs = {1, 2, 3, 4, 5, 6, 7, f}, smalls = {1, 1, 1, 1, 1, 1, 1, 3}, outs;
    rest(&big, &small, &out);
    rest_float(&bigs, &smalls, &outs);
    printf("%g %g %g\n", out.x, out.y, (double)outs.s7);
}
