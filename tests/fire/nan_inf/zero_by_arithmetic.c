// A difference that came out 0 and has a name is a result, whether both operands are the same variable or equal by chance.
// Written out where it divides, as libraries do, it makes a NaN on purpose.
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static double by_itself(double x) {
  double zero = x - x;
  return zero / zero; //~ nan
}
__attribute__((noinline)) static double by_chance(double x, double y) {
  double zero = x - y;
  return zero / zero; //~ nan
}
__attribute__((noinline)) static double inverse(double x) {
  double gap = x - x;
  return 1 / gap; //~ inf
}
__attribute__((noinline)) static double invalid(double x) { return (x - x) / (x - x); }
__attribute__((noinline)) static double guarded(double x, double y) {
  double gap = x - y;
  return gap == 0 ? 1 : gap / gap;
}

int main(void) {
  volatile double in[] = {3, 3};
  printf("%d\n", isnan(by_itself(in[0])) != 0);
  printf("%d\n", isnan(by_chance(in[0], in[1])) != 0);
  printf("%d\n", isinf(inverse(in[0])) != 0);
  printf("%d %g\n", isnan(invalid(in[0])) != 0, guarded(in[0], in[1]));
}
