// Decisions that hang on how 1.0/3.0, 0.1 and 0.7 were rounded: for some of the numbers that these may stand for, the
// program decides as it should.
#include <math.h>
#include <stdio.h>

volatile double minus_three = -3, seven = 7, right_angle = 90;
volatile int n = 200;

int main(void) {
    double q = minus_three * (1.0 / 3.0);
    if (q * q * q + 1.0 == 0.0) puts("a root");
    int equal = 0, sum = 0, below = 0;
    for (int i = 0; i < n; i++) {
        double third = i * (1.0 / 3.0);
        equal += third * 3.0 == i;
        sum += (int)(third * 3.0);
        double tenth = i * 0.1;
        equal += tenth * 10.0 == i;
        if (tenth * 10.0 > i) below++;
    }
    printf("%d %d %d\n", equal, sum, below);
    // What is left is less than what 0.7 was rounded by.
    printf("%g\n", seven * 0.1 - 0.7);
    // The cosine of a right angle is as far from 0 as the literal was rounded.
    printf("%g\n", cos(right_angle * (3.14159265358979323846 / 180.0)));
}
