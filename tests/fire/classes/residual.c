// How well x solves a x = b: what rounding leaves of b. The data are exact, so that 3 * 0.1 is 2.8e-17 more than 0.3.
// Stored, the residual is folded; printed, it is shown, with its class. A difference of which more is left than rounding
// explains is no residual, though it has lost most of its digits.
#include <stdio.h>

static volatile double a = 3, b = 0.3, x = 0.1, small = 1.2345678e-6;
double kept, lost;

__attribute__((noinline)) void residual(void) {
  kept = b - a * x; //~ precision-loss: 50..53 bits lost @store {residual}
}

__attribute__((noinline)) double printed(double scale) {
  return scale * b - scale * a * x; //~ precision-loss: 50..53 bits lost @output {residual}
}

__attribute__((noinline)) void difference(void) {
  double t = small * small;
  lost = (1 + t) - 1; //~ precision-loss: 33..53 bits lost @store {none}
}

int main(void) {
  residual();
  difference();
  printf("%g\n", printed(2));
  return 0;
}
