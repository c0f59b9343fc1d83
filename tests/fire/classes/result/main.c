// A difference that is itself the result, a few ulps of its terms: no residual, whatever has become of it. The terms are
// computed of the same values, or one is a constant; or no term is without an error. Twins whose data carry no more digits
// than that are in clean/classes/residual.c. Handed to code that Nonius has not seen, stored, and printed.
// nonius: raw=raw.c
#include <math.h>
#include <stdio.h>

void hand_over(double x);

static volatile double x = 1e15, b = 1e8, angle = 1e-7, data[4] = {1e8, 1e8 + 1, 1e8 + 2, 1e8 + 1};
double kept;

__attribute__((noinline)) void handed_over(void) {
  hand_over(sqrt(x + 1) - sqrt(x)); //~ precision-loss: 48..53 bits lost @argument {none}
}

__attribute__((noinline)) void small_root(void) {
  double p = b;
  kept = -p + sqrt(p * p - 4); //~ precision-loss: 48..53 bits lost @store {none}
}

__attribute__((noinline)) void from_one(void) {
  kept = 1 - cos(angle); //~ precision-loss: 33..53 bits lost @store {none}
}

__attribute__((noinline)) double variance(void) {
  double sum = 0, squares = 0;
  for (int i = 0; i < 4; i++) {
    double v = data[i];
    sum += v;
    squares += v * v;
  }
  return squares / 4 - (sum / 4) * (sum / 4); //~ precision-loss: 48..53 bits lost @output {none}
}

int main(void) {
  handed_over();
  small_root();
  from_one();
  printf("%g\n", variance());
  return 0;
}
