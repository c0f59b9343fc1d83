// nonius: raw=raw.c
// Code that was not instrumented calls back: arguments start anew there, memory keeps its shadows.
#include <stdio.h>

typedef double (*callback)(double value, void *context);
double raw_apply(callback f, double value, void *context);

static double rest(double value, void *context) {
    double *state = context;
    printf("%g\n", value - state[1]);  // arrived by way of raw code: exact as far as anyone knows
    return state[0] - state[1];        //~ precision-loss: 52..53 bits lost
}

int main(void) {
    volatile double big = 1e17, small = 3;
    double state[2] = {big + small, big};
    printf("%g\n", raw_apply(rest, state[0], state));
}
