// Structs passed and returned by value: in registers, in memory, mixed with integers.
#include <stdio.h>

struct two { double x, y; };
struct mix { float f; int i; double d; };
struct six { double v[6]; };

__attribute__((noinline)) struct two make_two(double b, double s) { return (struct two){b + s, 1}; }
__attribute__((noinline)) struct mix make_mix(double b, double s) { return (struct mix){1, 2, b + s}; }
__attribute__((noinline)) struct six make_six(double b, double s) { return (struct six){{0, 1, 2, b + s, 4, 5}}; }
__attribute__((noinline)) double use_two(struct two t, double b) { return t.x - b; }  //~ precision-loss: 52..53 bits lost
__attribute__((noinline)) double use_mix(struct mix t, double b) { return t.d - b; }  //~ precision-loss: 52..53 bits lost
__attribute__((noinline)) double use_six(struct six t, double b) { return t.v[3] - b; } //~ precision-loss: 52..53 bits lost

int main(void) {
    volatile double big = 1e17, small = 3;
    printf("%g\n", use_two(make_two(big, small), big));
    printf("%g\n", use_mix(make_mix(big, small), big));
    printf("%g\n", use_six(make_six(big, small), big));
}
