// A residual that is printed is shown, with its class; and a difference of which more is left than rounding explains is no
// residual, though it has lost most of its digits. What is harmless is in clean/.
#include <stdio.h>

static volatile double a = 3, b = 0.3, x = 0.1, small = 1.2345678e-6;
double lost;

__attribute__((noinline)) double printed(double scale) {
  return scale * b - scale * a * x; //~ precision-loss: 50..53 bits lost @output {residual}
}

__attribute__((noinline)) void difference(void) {
  double t = small * small;
  lost = (1 + t) - 1; //~ precision-loss: 33..53 bits lost @store {none}
}

int main(void) {
  difference();
  printf("%g\n", printed(2));
  return 0;
}
