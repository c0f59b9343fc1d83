// nonius: opt=O0,O1,O2,O3,O2-native,O2-contract
// _Float16: arithmetic, promotion, arrays, comparisons.
#include <stdio.h>

static volatile _Float16 hs[] = {0.1f16, -2.5f16, 65504, 6e-8f16, 1.0f16 / 3, 100};

__attribute__((noinline)) static _Float16 blend(_Float16 a, _Float16 b, _Float16 t) { return a * (1 - t) + b * t; }

int main(void) {
    _Float16 sum = 0, array[64];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            _Float16 a = hs[i], b = hs[j];
            printf("%a %a %a %a ", (double)(a + b), (double)(a - b), (double)(a * b), (double)(a / b));
            printf("%d%d %a\n", a < b, a == b, (double)blend(a, b, hs[4]));
        }
    for (int i = 0; i < 64; i++) array[i] = (_Float16)i / 7, sum += array[i] * array[i / 2];
    printf("%a %d\n", (double)sum, (int)array[63]);
}
