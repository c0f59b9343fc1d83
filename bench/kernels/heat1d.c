// Heat equation in one dimension, explicit steps, three points.
// bench: group=stencil size=20000x25000 quick=20000x3800
#include "kernel.h"

HOT void step(int n, REAL next[restrict n], const REAL now[restrict n])
{
    for (int i = 1; i < n - 1; i++)
        next[i] = (REAL)0.25 * now[i - 1] + (REAL)0.5 * now[i] + (REAL)0.25 * now[i + 1];
}

static void kernel(struct problem p)
{
    size_t n = p.n;
    REAL *now = reals(n), *next = reals(n);
    fill(now, n);
    memcpy(next, now, n * sizeof(REAL));
    for (int rep = 0; rep < p.reps; rep++) {
        step(p.n, next, now);
        REAL *other = now;
        now = next;
        next = other;
    }
    digest(now, n);
    free(now);
    free(next);
}
