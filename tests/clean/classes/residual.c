// How well x solves a x = b: what rounding leaves of b. The data are exact, so that 3 * 0.1 is 2.8e-17 more than 0.3.
// Stored, and summed up as a norm, the residual is folded. Its twin in fire/ prints it.
#include <stdio.h>

static volatile double a[3] = {3, 6, 7}, b[3] = {0.3, 0.6, 0.7}, x = 0.1;
double kept[3];

__attribute__((noinline)) void residual(int i) {
  kept[i] = b[i] - a[i] * x; //~ precision-loss: 50..53 bits lost @store {residual}
}

int main(void) {
  for (int i = 0; i < 2; i++)
    residual(i);
  puts("done");
  return 0;
}
