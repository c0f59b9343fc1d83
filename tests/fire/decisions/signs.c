// A sign that is all error: asked for, taken over, and by the lesser and the greater of two numbers far apart.
#include <math.h>
#include <stdio.h>

double change(double before, double step) {
    double after = before + step;
    return after - before - step / 2; //~ precision-loss: 52..53 bits lost
}

int main(void) {
    volatile double large = 1e16, one = 1, quarter = 0.25;
    double rise = change(large, one); // 0.5
    printf("%d\n", signbit(rise) != 0);    //~? branch-flip
    printf("%g\n", copysign(3.0, rise));   //~? branch-flip
    printf("%g\n", fmin(quarter, rise));   //~? branch-flip
    printf("%g\n", fmax(rise, quarter));   //~? branch-flip
}
