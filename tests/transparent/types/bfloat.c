// nonius: flags=--rtlib=compiler-rt opt=O0,O1,O2,O3,O2-contract
// (Left out: AVX512-BF16, whose conversion flushes subnormals; code generation uses it to move a bfloat between blocks.)
// __bf16: arithmetic in loops and through calls.
#include <stdio.h>

static volatile __bf16 bs[] = {0.1f, -2.5f, 3e38f, 1e-38f, 100};

__attribute__((noinline)) static __bf16 axpy(__bf16 a, __bf16 x, __bf16 y) { return a * x + y; }

int main(void) {
    __bf16 array[40];
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            __bf16 a = bs[i], b = bs[j];
            printf("%a %a %a %a %d\n", (double)(a + b), (double)(a * b), (double)(a / b), (double)axpy(a, b, bs[4]), a < b);
        }
    for (int i = 0; i < 40; i++) array[i] = axpy((__bf16)(float)i, bs[0], bs[1]);
    float sum = 0;
    for (int i = 0; i < 40; i++) sum += (float)array[i];
    printf("%a\n", (double)sum);
}
