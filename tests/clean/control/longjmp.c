// Leaving instrumented functions by longjmp leaves no stale shadows for the next call.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf env;

__attribute__((noinline)) static double leave(double x) {
    if (x > 0) longjmp(env, 1);
    return x;
}
__attribute__((noinline)) static double outer(double big, double small) { return leave(big + small) + 1; }
__attribute__((noinline)) static double minus(double a, double b) { return a - b; }

int main(void) {
    volatile double big = 1e17, small = 3;
    for (volatile int i = 0; i < 3; i++)
        if (setjmp(env) == 0) printf("%g\n", outer(big, small));
    printf("%g\n", minus(big, big));
}
