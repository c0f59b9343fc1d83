// Rank-2 update and two matrix-vector products, on a matrix larger than the cache.
// bench: group=dense size=2200x12 quick=700x35
#include "kernel.h"

HOT void rank_two(int n, REAL a[restrict n][n], const REAL u1[restrict n], const REAL v1[restrict n],
                  const REAL u2[restrict n], const REAL v2[restrict n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = (REAL)0.5 * a[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
}

HOT void transposed_product(int n, REAL x[restrict n], const REAL a[restrict n][n], const REAL y[restrict n])
{
    for (int j = 0; j < n; j++)
        x[j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[j] += a[i][j] * y[i];
}

HOT void product(int n, REAL w[restrict n], const REAL a[restrict n][n], const REAL x[restrict n])
{
    for (int i = 0; i < n; i++) {
        REAL sum = 0;
        for (int j = 0; j < n; j++)
            sum += a[i][j] * x[j];
        w[i] = sum;
    }
}

static void kernel(struct problem p)
{
    size_t n = p.n;
    REAL *a = reals(n * n), *vectors = reals(7 * n);
    REAL *u1 = vectors, *v1 = u1 + n, *u2 = v1 + n, *v2 = u2 + n, *x = v2 + n, *y = x + n, *w = y + n;
    fill(a, n * n);
    fill(vectors, 7 * n);
    for (int rep = 0; rep < p.reps; rep++) {
        rank_two(p.n, (void *)a, u1, v1, u2, v2);
        transposed_product(p.n, x, (void *)a, y);
        product(p.n, w, (void *)a, x);
        for (size_t i = 0; i < n; i++)
            y[i] = w[i] / ((REAL)1 + w[i]);
    }
    digest(w, n);
    digest(x, n);
    free(a);
    free(vectors);
}
