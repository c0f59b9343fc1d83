// A large power of 2 is added and taken away again: to round. With another constant, or with a number that the program was
// given, it is an absorption.
#include <stdio.h>

static volatile double x = 1234.25, big = 1e10, small = 1.2345678e-5;
double rounded, absorbed;

__attribute__((noinline)) void on_purpose(void) {
  rounded = (small * small + 0x1p20) - 0x1p20; //~ precision-loss: 20..53 bits lost {on-purpose}
}

__attribute__((noinline)) void by_accident(void) {
  absorbed = (small * x + big) - big; //~ precision-loss: 20..53 bits lost {none}
}

__attribute__((noinline)) void by_offset(void) {
  absorbed = (small * x + 1e9) - 1e9; //~ precision-loss: 20..53 bits lost {none}
}

int main(void) {
  on_purpose();
  by_accident();
  by_offset();
  puts("done");
  return 0;
}
