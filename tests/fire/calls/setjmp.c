// Values that live across longjmp keep their errors.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf env;

__attribute__((noinline)) static void leave(int n) { longjmp(env, n); }

int main(void) {
    volatile double big = 1e17, small = 3, sum = 0;
    sum = big + small;
    int n = setjmp(env);
    if (n < 3) leave(n + 1);
    printf("%g\n", sum - big); //~ precision-loss: 52..53 bits lost
}
