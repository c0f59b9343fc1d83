// nonius: status=7
// A program that ends by exit from deep inside, with a handler that computes.
#include <stdio.h>
#include <stdlib.h>

static volatile double kept = 0.1;

static void last(void) { printf("%.15g\n", kept / 3); }
__attribute__((noinline)) static double deep(double x, int n) {
    if (n == 0) exit(x > 0 ? 7 : 8);
    return deep(x / 2, n - 1) + 1;
}

int main(void) {
    atexit(last);
    printf("%g\n", deep(kept, 20));
}
