// nonius: flags=-Wno-psabi
// An error moves from lane to lane by shuffles, inserts and extracts.
#include <stdio.h>

typedef double v2 __attribute__((ext_vector_type(2)));
typedef double v4 __attribute__((ext_vector_type(4)));

__attribute__((noinline)) v4 reverse(v4 a) { return a.wzyx; }
__attribute__((noinline)) v2 high(v4 a) { return a.hi; }
__attribute__((noinline)) double minus(v2 a, double b) { return a.x - b; } //~ precision-loss: 52..53 bits lost

int main(void) {
    volatile double big = 1e17, small = 3;
    v4 a = {1, 2, 3, 4};
    a.y = big + small;
    printf("%g\n", minus(high(reverse(a)), big));
    printf("%g\n", minus(a.xy, 0.5));
}
