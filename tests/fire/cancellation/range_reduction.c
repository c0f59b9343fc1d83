// nonius: options=constants=exact
// Bringing a huge angle into one turn: the product k*2pi is rounded to more than an ulp of the rest.
#include <math.h>
#include <stdio.h>

#define TURN 6.283185307179586

double naive(double x) { return x - floor(x / TURN) * TURN; } //~ precision-loss: 42..51 bits lost
double exact(double x) { return fmod(x, TURN); }

int main(void) {
    volatile double x = 1e15;
    printf("%.17g\n", naive(x));
    printf("%.17g\n", exact(x));
}
