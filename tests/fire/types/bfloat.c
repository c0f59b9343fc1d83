// nonius: flags=--rtlib=compiler-rt
// __bf16: 8 bits; a sum of ones stops at 256.
#include <stdio.h>

__attribute__((noinline)) __bf16 plus(__bf16 a, __bf16 b) { return a + b; }
__attribute__((noinline)) __bf16 minus(__bf16 a, __bf16 b) { return a - b; } //~ precision-loss: 7..8 bits lost

int main(void) {
    volatile __bf16 one = 1, limit = 256;
    printf("%g\n", (double)minus(plus(limit, one), limit));
    printf("%g\n", (double)minus(limit, one));
}
