// _Float16: 11 bits, so 2049 is not a number and 70000 is infinite.
#include <stdio.h>

__attribute__((noinline)) _Float16 plus(_Float16 a, _Float16 b) { return a + b; }
__attribute__((noinline)) _Float16 minus(_Float16 a, _Float16 b) { return a - b; } //~ precision-loss: 10..11 bits lost
__attribute__((noinline)) _Float16 times(_Float16 a, _Float16 b) { return a * b; } //~ inf

int main(void) {
    volatile _Float16 big = 2048, small = 1;
    printf("%g\n", (double)minus(plus(big, small), big));
    printf("%g\n", (double)times(big, big));
    printf("%g\n", (double)minus(big, small));
}
