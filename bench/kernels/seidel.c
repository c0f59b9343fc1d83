// Gauss-Seidel sweeps over nine points, in place: each value waits for the one before it.
// bench: group=stencil size=500x110 quick=250x65
#include "kernel.h"

HOT void sweep(int n, REAL a[n][n])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j] + a[i][j + 1]
                       + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1])
                      / 9;
}

static void kernel(struct problem p)
{
    size_t count = (size_t)p.n * p.n;
    REAL *a = reals(count);
    fill(a, count);
    for (int rep = 0; rep < p.reps; rep++)
        sweep(p.n, (void *)a);
    digest(a, count);
    free(a);
}
