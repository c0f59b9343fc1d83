// A symplectic integrator over some periods, observed away from its zeros.
#include <stdio.h>

int main(void) {
    volatile double in = 0.05;
    double x = 1, v = 0, h = in, energy = 0;
    for (int i = 0; i < 500; i++) {
        v -= h * x;
        x += h * v;
        energy += x * x + v * v;
    }
    printf("%.9g\n", energy / 500);
}
