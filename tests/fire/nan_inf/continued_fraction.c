// A continued fraction that passes through infinity for x = 1..4, and yet ends well: only the poles are reported.
#include <stdio.h>

double fraction(double x) {
    double a = x - 2 - 2 / (x - 3);    //~ inf
    double b = x - 7 + 10 / a;         //~ inf
    double c = x - 2 - 1 / b;          //~ inf
    return 4 - 3 / c;
}

int main(void) {
    volatile double xs[] = {1, 2, 3, 4};
    for (int i = 0; i < 4; i++) printf("%g\n", fraction(xs[i]));
}
