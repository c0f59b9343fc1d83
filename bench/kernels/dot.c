// The scalar product of two arrays, with four partial sums.
// bench: group=sum size=2000000x190 quick=500000x100
#include "kernel.h"

HOT REAL dot(int n, const REAL x[restrict n], const REAL y[restrict n])
{
    REAL part[4] = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            part[k] += x[i + k] * y[i + k];
    for (; i < n; i++)
        part[0] += x[i] * y[i];
    return (part[0] + part[1]) + (part[2] + part[3]);
}

static void kernel(struct problem p)
{
    REAL *x = reals(p.n), *y = reals(p.n), total = 0;
    fill(x, p.n);
    fill(y, p.n);
    for (int rep = 0; rep < p.reps; rep++) {
        x[rep % p.n] += 1;
        total = dot(p.n, x, y);
        digest(&total, 1);
    }
    free(x);
    free(y);
}
