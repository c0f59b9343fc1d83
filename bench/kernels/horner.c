// A polynomial and its derivative at many points, by Horner's rule.
// bench: group=signal size=100000x320 quick=50000x80
#include "kernel.h"

enum { DEGREE = 18 };

HOT void evaluate(int n, REAL value[restrict n], REAL slope[restrict n], const REAL x[restrict n],
                  const REAL coefficient[restrict DEGREE + 1])
{
    for (int i = 0; i < n; i++) {
        REAL v = coefficient[DEGREE], s = 0;
        for (int k = DEGREE - 1; k >= 0; k--) {
            s = s * x[i] + v;
            v = v * x[i] + coefficient[k];
        }
        value[i] = v;
        slope[i] = s;
    }
}

static void kernel(struct problem p)
{
    REAL *value = reals(p.n), *slope = reals(p.n), *x = reals(p.n), coefficient[DEGREE + 1];
    fill(x, p.n);
    fill(coefficient, DEGREE + 1);
    for (int rep = 0; rep < p.reps; rep++) {
        coefficient[rep % (DEGREE + 1)] += (REAL)0.125;
        evaluate(p.n, value, slope, x, coefficient);
    }
    digest(value, p.n);
    digest(slope, p.n);
    free(value);
    free(slope);
    free(x);
}
