// Equality that decides what the program does is no assertion, and neither is one of which equal sides end the program.
#include <stdio.h>
#include <stdlib.h>

static volatile double small = 1.2345678e-9;
int taken;

__attribute__((noinline)) void decides(double t) {
  if ((1 + t) - 1 == t) //~ branch-flip {none}
    taken = 1;
}

__attribute__((noinline)) void ends(double t) {
  if ((1 + t) - 1 == t) //~ branch-flip {none}
    exit(3);
}

int main(void) {
  decides(small);
  ends(small);
  printf("%d\n", taken);
  return 0;
}
