// setjmp and longjmp across frames with floats in registers and in memory.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf outer, inner;

__attribute__((noinline)) static double deep(double x, int n) {
    if (n == 0) longjmp(x > 2 ? outer : inner, (int)(x * 10));
    return deep(x * 1.5, n - 1) + x;
}

int main(void) {
    volatile double start = 0.1;
    volatile int rounds = 0;
    volatile double sum = 0;
    int code = setjmp(outer);
    sum = sum + code / 7.0;
    if (rounds++ < 4) {
        int inside = setjmp(inner);
        sum = sum + inside / 3.0;
        if (inside < 5) printf("%a\n", deep(start * rounds + inside / 10.0, 3 + rounds));
    }
    printf("%a %d\n", sum, rounds);
}
