// Adding a number and taking it away again where the program wants what is left: no constant of a mathematical library, or no
// test that says when to round.
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static double beside_one(double x) {
    double s = 1.0 + x;
    return s - 1.0; //~ precision-loss: 40..53 bits lost
}
__attribute__((noinline)) static double beside_a_billion(double x) {
    double s = x + 1e9;
    return s - 1e9; //~ precision-loss: 45..53 bits lost
}
__attribute__((noinline)) static double beside_a_power(double x) {
    double s = x + 0x1p30;
    return s - 0x1p30; //~ precision-loss: 45..53 bits lost
}
__attribute__((noinline)) static double beside_a_sixteenth(double x) {
    double rest = 0x1p-4 - x;
    return 0x1p-4 - rest; //~ precision-loss: 40..53 bits lost
}

int main(void) {
    volatile double in[] = {1.234e-13, 3.3e-8, 7.7e-15};
    double a = beside_one(in[0]), b = beside_a_billion(in[1]), c = beside_a_power(in[1]), d = beside_a_sixteenth(in[2]);
    printf("%g %g %g %g\n", a, b, c, d);
}
