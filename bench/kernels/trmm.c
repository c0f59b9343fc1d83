// Product with a unit lower triangle, in place: B = alpha L B.
// bench: group=dense size=270x100 quick=130x130
#include "kernel.h"

HOT void trmm(int n, REAL alpha, const REAL l[restrict n][n], REAL b[restrict n][n])
{
    // From the last row up: a row needs only rows above it, which are still untouched.
    for (int i = n - 1; i >= 0; i--) {
        for (int k = 0; k < i; k++)
            for (int j = 0; j < n; j++)
                b[i][j] += l[i][k] * b[k][j];
        for (int j = 0; j < n; j++)
            b[i][j] *= alpha;
    }
}

static void kernel(struct problem p)
{
    size_t count = (size_t)p.n * p.n;
    REAL *l = reals(count), *b = reals(count);
    fill(l, count);
    // Rows of L sum to less than 1, so that repetition does not grow without bound.
    for (size_t i = 0; i < count; i++)
        l[i] /= (REAL)p.n;
    fill(b, count);
    for (int rep = 0; rep < p.reps; rep++)
        trmm(p.n, (REAL)0.9375, (void *)l, (void *)b);
    digest(b, count);
    free(l);
    free(b);
}
