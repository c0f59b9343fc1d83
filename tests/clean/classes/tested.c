// NaNs and infinities that the program tests for: at once, after more arithmetic, behind a call, by a limit. In fire/ nobody
// does, or for the wrong one, or it is printed all the same.
#include <float.h>
#include <math.h>
#include <stdio.h>

static volatile double zero = 0, one = 1, big = 1e300;
int seen;
double kept;

static int is_bad(double x) { return x != x; }

__attribute__((noinline)) void at_once(void) {
  double ratio = zero / zero; //~ nan {on-purpose}
  kept = ratio;
  if (isnan(ratio))
    seen++;
}

__attribute__((noinline)) void later(void) {
  double ratio = one / zero; //~ inf {on-purpose}
  double sum = 2 * ratio + 1;
  kept = sum;
  if (isinf(sum))
    seen++;
}

__attribute__((noinline)) void in_a_call(double x) {
  double root = sqrt(x); //~ nan {on-purpose}
  kept = root;
  if (is_bad(root * 2))
    seen++;
}

__attribute__((noinline)) void by_limit(void) {
  double product = big * big; //~ inf {on-purpose}
  kept = product;
  if (fabs(product) > DBL_MAX)
    seen++;
}

__attribute__((noinline)) void by_finiteness(void) {
  double ratio = -one / zero; //~ inf {on-purpose}
  kept = ratio;
  if (!isfinite(ratio))
    seen++;
}

int main(void) {
  at_once();
  later();
  in_a_call(-one);
  by_limit();
  by_finiteness();
  return seen == 5 ? 0 : 1;
}
