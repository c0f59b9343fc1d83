// The exit status from deep inside, after handlers have run in their order.
#include <stdio.h>
#include <stdlib.h>

static double kept = 0.1;
static void first(void) { printf("first %a\n", kept); }
static void second(void) { kept /= 3; printf("second %a\n", kept); }
__attribute__((destructor)) static void third(void) { printf("third %a\n", kept * 7); }

__attribute__((noinline)) static double deep(double x, int n) {
    if (n == 0) exit((int)(x * 1e3));
    return deep(x * 0.9, n - 1) * 2;
}

int main(void) {
    atexit(first);
    atexit(second);
    printf("%a\n", deep(kept, 8));
}
