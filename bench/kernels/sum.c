// The sum of an array, one value after the other.
// bench: group=sum size=4000000x75 quick=1000000x40 sweep=1000000x60,2000000x60,4000000x60,8000000x60
#include "kernel.h"

HOT REAL sum(int n, const REAL values[n])
{
    REAL total = 0;
    for (int i = 0; i < n; i++)
        total += values[i];
    return total;
}

static void kernel(struct problem p)
{
    REAL *values = reals(p.n), total = 0;
    fill(values, p.n);
    for (int rep = 0; rep < p.reps; rep++) {
        values[rep % p.n] += 1;
        total = sum(p.n, values);
        digest(&total, 1);
    }
    free(values);
}
