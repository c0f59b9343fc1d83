// The same sum in float and in double: only float loses it.
#include <stdio.h>

float in_float(float a, float b) { return (a + b) - a; }      //~ precision-loss: 20..24 bits lost
double in_double(double a, double b) { return (a + b) - a; }

int main(void) {
    volatile float a = 123456792, b = 1.25f;
    printf("%g %g\n", (double)in_float(a, b), in_double(a, b));
}
