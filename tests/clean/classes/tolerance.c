// The sides of each comparison are ideally equal, or one is what rounding left of a difference that is ideally 0: equality
// itself, and the forms that testing libraries give it. The twin in fire/ has the same tests of values that have lost their
// digits, and a sign.
#include <math.h>
#include <stdio.h>

static volatile double a = 0.1, b = 0.2, c = 0.3, small = 1.2345678e-9;
int equal;

static double one_way(void) { return (a + b) + c; }
static double another(void) { return a + (b + c); }

__attribute__((noinline)) void decides(void) {
  if (one_way() == another()) //~ branch-flip {tolerance-test}
    equal = 1;
}

// As googletest's EXPECT_NEAR.
__attribute__((noinline)) void near(double x, double y, double tolerance) {
  double difference = fabs(x - y);
  if (difference <= tolerance) //~ branch-flip {tolerance-test}
    equal = 2;
}

// As doctest's Approx: a threshold that is computed.
__attribute__((noinline)) void approximately(double x, double y, double epsilon, double scale) {
  if (fabs(x - y) < epsilon * (scale + fmax(fabs(x), fabs(y)))) //~ branch-flip {tolerance-test}
    equal = 3;
}

// As Catch2's: a margin on either side.
__attribute__((noinline)) void within(double x, double y, double margin) {
  if (x + margin >= y && //~ branch-flip {tolerance-test}
      y + margin >= x)
    equal = 4;
}

// As the crate approx: equality is the short way, whatever the digits.
__attribute__((noinline)) void relatively(double x, double y, double epsilon) {
  if (x == y) { //~ branch-flip {tolerance-test}
    equal = 5;
    return;
  }
  double difference = fabs(x - y);
  if (difference <= epsilon * fmax(fabs(x), fabs(y)))
    equal = 6;
}

int main(void) {
  decides();
  near(one_way(), another(), 1e-16);
  approximately(one_way(), another(), 1e-16, 0);
  within(another(), one_way(), 4e-17);
  double t = small;
  relatively((1 + t) - 1, t, 1e-6);
  printf("%d\n", equal);
  return 0;
}
