// nonius: open=double-double
// Comparisons whose sides are equal but for rounding. In an assertion, where the program would end if they were not equal,
// and as a tolerance; and one that says how often a loop runs, which is neither.
#include <assert.h>
#include <stdio.h>

static volatile double a = 0.1, b = 0.2, c = 0.3, step = 0.1;
int equal, rounds;

__attribute__((noinline)) void asserts(void) {
  assert((a + b) + c == a * 6); //~ branch-flip {assertion}
}

__attribute__((noinline)) void decides(void) {
  if ((a + b) + c == a + (b + c)) //~ branch-flip {tolerance-test}
    equal = 1;
}

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

int main(void) {
  volatile double small = 1.2345678e-5;
  asserts();
  decides();
  counts();
  wrong(small);
  printf("%d %d\n", equal, rounds);
  return 0;
}
