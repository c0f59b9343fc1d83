// A sign that is all error: asked for, and given to another number; and the lesser and the greater of two numbers, one of which
// is all error. What is printed is exact in itself: only the decision is wrong.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double large = 1e16, one = 1, quarter = 0.25, three = 3;
    double step = (large + one) - large; // 0, ideally 1
    double below = step - 0.5, above = 0.5 - step;
    int negative = signbit(below) != 0;       //~ branch-flip @branch
    double turned = copysign(three, below);   //~ branch-flip @branch
    double greater = fmax(quarter, below);    //~ branch-flip @branch
    double lesser = fmin(quarter, above);     //~ branch-flip @branch
    printf("%d %g %g %g\n", negative, turned, greater, lesser);
}
