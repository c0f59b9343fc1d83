// Heat equation in two dimensions, explicit steps, five points.
// bench: group=stencil size=1500x85 quick=500x160 sweep=400x100,800x100,1600x100,3200x100
#include "kernel.h"

HOT void step(int n, REAL next[restrict n][n], const REAL now[restrict n][n])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            next[i][j] = (REAL)0.5 * now[i][j]
                         + (REAL)0.125 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
}

static void kernel(struct problem p)
{
    size_t count = (size_t)p.n * p.n;
    REAL *now = reals(count), *next = reals(count);
    fill(now, count);
    memcpy(next, now, count * sizeof(REAL));
    for (int rep = 0; rep < p.reps; rep++) {
        step(p.n, (void *)next, (void *)now);
        REAL *other = now;
        now = next;
        next = other;
    }
    digest(now, count);
    free(now);
    free(next);
}
