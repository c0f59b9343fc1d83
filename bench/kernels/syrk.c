// Symmetric rank-k update of a lower triangle: C = alpha A A^T + beta C, by dot products of rows.
// bench: group=dense size=260x50 quick=120x80
#include "kernel.h"

HOT void syrk(int n, REAL alpha, REAL beta, REAL c[restrict n][n], const REAL a[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            REAL sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i][k] * a[j][k];
            c[i][j] = alpha * sum + beta * c[i][j];
        }
}

static void kernel(struct problem p)
{
    size_t count = (size_t)p.n * p.n;
    REAL *a = reals(count), *c = reals(count);
    fill(a, count);
    fill(c, count);
    for (int rep = 0; rep < p.reps; rep++)
        syrk(p.n, (REAL)0.75, (REAL)0.5, (void *)c, (void *)a);
    digest(c, count);
    free(a);
    free(c);
}
