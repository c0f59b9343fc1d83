// nonius: open=residue,double-double
// Comparisons that are no tolerance tests: one that says how often a loop runs, equality of what has lost its digits, a sign
// that only rounding decides. What is harmless is in clean/.
#include <stdio.h>

static volatile double step = 0.1, a = 0.1, b = 0.2, c = 0.3;
int equal, rounds;

// Ideally ten rounds of a hair more than 0.1 each.
__attribute__((noinline)) void counts(void) {
  for (double t = 0; t < 1; t += step) //~ branch-flip {none}
    rounds++;
}

// Decided by a value that has lost all its digits.
__attribute__((noinline)) void wrong(double x) {
  double t = x * x;
  if ((1 + t) - 1 > t) //~ branch-flip {none}
    equal = 2;
}

// Not the short way to anything: nobody asks how far apart they are.
__attribute__((noinline)) void equality(double x, double y) {
  if (x == y) //~ branch-flip {none}
    equal = 3;
}

// The sign of what rounding left, which geometry hangs on. Ideally it is 0.
__attribute__((noinline)) void sign(double scale) {
  if (scale * ((a + b) + c) - scale * (a + (b + c)) > 0) //~ branch-flip {none}
    equal = 4;
}

int main(void) {
  volatile double small = 1.2345678e-5, tiny = 1.2345678e-9;
  counts();
  wrong(small);
  double t = tiny;
  equality((1 + t) - 1, t);
  sign(1);
  printf("%d %d\n", equal, rounds);
  return 0;
}
