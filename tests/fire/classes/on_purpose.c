// A number that is added and taken away again is an absorption, unless it is one to round by (clean/).
#include <stdio.h>

static volatile double x = 1234.25, big = 1e10, small = 1.2345678e-5;
double absorbed;

__attribute__((noinline)) void by_accident(void) {
  absorbed = (small * x + big) - big; //~ precision-loss: 20..53 bits lost {none}
}

__attribute__((noinline)) void by_offset(void) {
  absorbed = (small * x + 1e9) - 1e9; //~ precision-loss: 20..53 bits lost {none}
}

// To round, and printed.
__attribute__((noinline)) double rounds(double t) {
  return (t * t + 0x1p20) - 0x1p20; //~ precision-loss: 20..53 bits lost @output {on-purpose}
}

int main(void) {
  by_accident();
  by_offset();
  printf("%g\n", rounds(small));
  return 0;
}
