// The residual of a linear system is what rounding left: ideally it is 0. Stored, it is folded; printed, it is shown.
// A difference of which more is left than rounding explains is no residual.
#include <stdio.h>

static volatile double a = 3, b = 0.1, c = 7, d = 0.3, p = 1.7, q = 2.9;
double kept[2], lost;

__attribute__((noinline)) void solve(double x[2]) {
  double determinant = a * d - b * c;
  x[0] = (p * d - b * q) / determinant;
  x[1] = (a * q - p * c) / determinant;
}

__attribute__((noinline)) void residual(const double x[2], double r[2]) {
  r[0] = p - (a * x[0] + b * x[1]); //~ precision-loss: 33..53 bits lost {residual}
  r[1] = q - (c * x[0] + d * x[1]); //~? precision-loss: 33..53 bits lost {residual}
}

// 1 - cos(x) for x = 1e-4: 9 digits of 5e-9 are wrong, and it is far more than rounding leaves.
__attribute__((noinline)) void difference(double x) {
  double t = x * x;
  lost = (1 + t) - 1; //~ precision-loss: 20..53 bits lost {none}
}

int main(void) {
  double x[2];
  solve(x);
  residual(x, kept);
  volatile double small = 1.2345678e-5;
  difference(small);
  printf("%g %g\n", x[0], x[1]);
  return 0;
}
