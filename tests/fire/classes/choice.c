// A choice of one of two values that have lost their digits, and are not alike ideally; and a comparison of two that are alike
// which keeps neither. What is harmless is in clean/.
#include <math.h>
#include <stdio.h>

static volatile double shift = 1e6, small = 1.2e-10, larger = 1.6e-10, less = 3.0e-16, more = 3.2e-16;
int at;

__attribute__((noinline)) void keeps_the_wrong_one(double one, double other) {
  double most = log(1 + one), next = log(1 + other);
  int kept = 0;
  if (next > most) { //~ branch-flip {none}
    most = next;
    kept = 1;
  }
  at = kept + (most > 1);
}

__attribute__((noinline)) void keeps_none(double one, double other) {
  double x = 3 + ((shift + one) - shift), y = 3 + ((shift + other) - shift);
  if (y > x) //~ branch-flip {none}
    at += 2;
}

int main(void) {
  keeps_the_wrong_one(less, more);
  keeps_none(small, larger);
  printf("%d\n", at);
  return 0;
}
