// A program that aborts still aborts, with its output flushed before.
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static double check(double x) {
    if (x > 0.05) {
        printf("%a\n", x);
        fflush(stdout);
        abort();
    }
    return x;
}

int main(void) {
    volatile double x = 0.1;
    return (int)check(x / 1.5);
}
