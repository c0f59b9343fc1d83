// Two matrix-vector products in one program, by rows and by columns: x1 += A y1, x2 += A^T y2.
// bench: group=dense size=2300x5 quick=800x19
#include "kernel.h"

HOT void by_rows(int n, REAL x[restrict n], const REAL a[restrict n][n], const REAL y[restrict n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i] += a[i][j] * y[j];
}

// Strides through memory on purpose: this is how it is often written.
HOT void by_columns(int n, REAL x[restrict n], const REAL a[restrict n][n], const REAL y[restrict n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i] += a[j][i] * y[j];
}

static void kernel(struct problem p)
{
    size_t n = p.n;
    REAL *a = reals(n * n), *x1 = reals(n), *x2 = reals(n), *y1 = reals(n), *y2 = reals(n);
    fill(a, n * n);
    fill(x1, n);
    fill(x2, n);
    fill(y1, n);
    fill(y2, n);
    for (int rep = 0; rep < p.reps; rep++) {
        by_rows(p.n, x1, (void *)a, y1);
        by_columns(p.n, x2, (void *)a, y2);
    }
    digest(x1, n);
    digest(x2, n);
    free(a);
    free(x1);
    free(x2);
    free(y1);
    free(y2);
}
