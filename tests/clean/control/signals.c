// A handler computes in the middle of other computations, and disturbs none.
#include <math.h>
#include <signal.h>
#include <stdio.h>

static volatile double in_handler;
static volatile sig_atomic_t count;

__attribute__((noinline)) static double twice(double x) { return x * 2 / 3; }
static void handler(int number) {
    in_handler = in_handler + twice(1e17 + number);
    count++;
}
__attribute__((noinline)) static double third(double x) {
    if (count < 20) raise(SIGUSR1);
    return x / 3;
}

int main(void) {
    signal(SIGUSR1, handler);
    double sum = 0;
    for (int i = 1; i < 50; i++) sum += third(i) * third(sqrt(i));
    printf("%.12g %d\n", sum, (int)count);
}
