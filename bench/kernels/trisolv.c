// Forward substitution with a lower triangle larger than the cache.
// bench: group=solver size=2300x90 quick=800x130
#include "kernel.h"

HOT void solve(int n, const REAL l[restrict n][n], REAL x[restrict n], const REAL b[restrict n])
{
    for (int i = 0; i < n; i++) {
        REAL sum = b[i];
        for (int j = 0; j < i; j++)
            sum -= l[i][j] * x[j];
        x[i] = sum / l[i][i];
    }
}

static void kernel(struct problem p)
{
    size_t n = p.n;
    REAL *l = reals(n * n), *x = reals(n), *b = reals(n);
    fill(l, n * n);
    for (size_t i = 0; i < n; i++)
        l[i * n + i] += (REAL)n;
    fill(b, n);
    for (int rep = 0; rep < p.reps; rep++) {
        b[rep % n] += (REAL)1;
        solve(p.n, (void *)l, x, b);
    }
    digest(x, n);
    free(l);
    free(x);
    free(b);
}
