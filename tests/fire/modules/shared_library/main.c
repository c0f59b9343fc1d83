// nonius: shared=library.c
// Program and shared library are both instrumented: shadows cross in arguments, results and memory.
#include <stdio.h>

struct state { double sum; };
void library_add(struct state *s, double x);
double library_minus(double a, double b);

int main(void) {
    volatile double big = 1e17, small = 3;
    struct state s = {0};
    library_add(&s, big);
    library_add(&s, small);
    printf("%g\n", s.sum - big); //~ precision-loss: 52..53 bits lost
    printf("%g\n", library_minus(big + small, big));
}
