// A large power of 2 is added and taken away again: to round. In fire/ it is another constant, or a number that the program
// was given.
#include <stdio.h>

static volatile double small = 1.2345678e-5;
double rounded;

__attribute__((noinline)) void shifts(void) {
  rounded = (small * small + 0x1p20) - 0x1p20; //~ precision-loss: 20..53 bits lost {on-purpose}
}

int main(void) {
  shifts();
  puts("done");
  return 0;
}
