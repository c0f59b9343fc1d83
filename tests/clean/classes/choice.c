// Searches for a maximum and a minimum among values that are ideally alike in their first digits, and equal in what rounding
// left of them: either is as good. The twin in fire/ keeps one of two that are wholly lost, and decides something else.
#include <math.h>
#include <stdio.h>

static volatile double shift = 1e6, small = 1.2e-10, larger = 1.6e-10;
double values[2];
int at;

// 3 and a hair, of which an ulp of the shift is left: the same of both.
static double of(double hair) { return 3 + ((shift + hair) - shift); }

__attribute__((noinline)) void greatest(const double *all, int count) {
  double most = all[0];
  int kept = 0;
  for (int i = 1; i < count; i++)
    if (all[i] > most) { //~ branch-flip {choice}
      most = all[i];
      kept = i;
    }
  at += kept + (most > 4);
}

// As a search for a pivot.
__attribute__((noinline)) int pivot(const double *column, int count) {
  int kept = 0;
  double most = fabs(column[0]);
  for (int i = 1; i < count; i++) {
    if (fabs(column[i]) <= most) //~ branch-flip {choice}
      continue;
    kept = i;
    most = fabs(column[i]);
  }
  return kept + (most > 4);
}

// The nearest so far, which the caller keeps.
__attribute__((noinline)) void nearer(double distance, int which, double *least, int *kept) {
  if (*least > distance) { //~ branch-flip {choice}
    *least = distance;
    *kept = which;
  }
}

int main(void) {
  values[0] = of(small);
  values[1] = of(larger);
  greatest(values, 2);
  at += pivot(values, 2);
  double least = values[1];
  nearer(values[0], 1, &least, &at);
  printf("%d\n", at);
  return 0;
}
