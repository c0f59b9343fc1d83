// NaNs and infinities that nobody tests for, or for the wrong one; and one that is tested for and printed all the same.
#include <math.h>
#include <stdio.h>

static volatile double zero = 0, one = 1;
int seen;

__attribute__((noinline)) void untested(void) {
  double ratio = zero / zero; //~ nan {none}
  if (ratio < 2)
    seen++;
}

__attribute__((noinline)) void wrong_test(void) {
  double ratio = zero / zero; //~ nan {none}
  if (isinf(ratio))
    seen++;
}

__attribute__((noinline)) double printed(void) {
  double ratio = one / zero; //~ inf @output
  if (isinf(ratio))
    seen++;
  return ratio;
}

int main(void) {
  untested();
  wrong_test();
  printf("%g\n", printed());
  return 0;
}
