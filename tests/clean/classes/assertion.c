// Equality in an assertion: where it does not hold, the program ends. Its twin in fire/ goes on.
#include <assert.h>
#include <stdio.h>

static volatile double a = 0.1, b = 0.2, c = 0.3;

__attribute__((noinline)) void asserts(void) {
  assert((a + b) + c == a * 6); //~ branch-flip {assertion}
}


int main(void) {
  asserts();
  puts("done");
  return 0;
}
