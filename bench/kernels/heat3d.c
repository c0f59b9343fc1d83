// Heat equation in three dimensions, explicit steps, seven points.
// bench: group=stencil size=130x80 quick=60x130
#include "kernel.h"

HOT void step(int n, REAL next[restrict n][n][n], const REAL now[restrict n][n][n])
{
    const REAL flow = (REAL)0.1;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                REAL around = now[i - 1][j][k] + now[i + 1][j][k] + now[i][j - 1][k] + now[i][j + 1][k]
                              + now[i][j][k - 1] + now[i][j][k + 1];
                next[i][j][k] = (1 - 6 * flow) * now[i][j][k] + flow * around;
            }
}

static void kernel(struct problem p)
{
    size_t count = (size_t)p.n * p.n * p.n;
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
