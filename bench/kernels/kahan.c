// The sum of an array with Kahan's correction.
// bench: group=sum size=1000000x85 quick=500000x20
#include "kernel.h"

HOT REAL sum(int n, const REAL values[n])
{
    REAL total = 0, correction = 0;
    for (int i = 0; i < n; i++) {
        REAL term = values[i] - correction;
        REAL next = total + term;
        correction = (next - total) - term;
        total = next;
    }
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
