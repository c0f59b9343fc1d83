// Three returns, one exit: the finding names the operation behind the return that was taken.
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) double pick(int which, double x) {
    if (which == 0) return (double)which * 0.1;
    if (which == 1) return exp(x);
    if (which == 2) return sqrt(x + 1) - sqrt(x); //~ precision-loss: 33..53 bits lost @return
    return 1 / (sqrt(x + 1) + sqrt(x));
}

int main(void) {
    volatile double small = 0.5, big = 1e14;
    double sum = pick(0, small) + pick(1, small) + pick(3, big);
    printf("%g %g\n", sum, pick(2, big) > 0 ? 1.0 : 0.0);
    return 0;
}
