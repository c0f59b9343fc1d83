// LU factorization without pivoting, of a diagonally dominant matrix.
// bench: group=solver size=300x90 quick=150x100
#include "kernel.h"

HOT void factor(int n, REAL a[n][n])
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            REAL ratio = a[i][k] / a[k][k];
            a[i][k] = ratio;
            for (int j = k + 1; j < n; j++)
                a[i][j] -= ratio * a[k][j];
        }
}

static void kernel(struct problem p)
{
    size_t n = p.n, count = n * n;
    REAL *original = reals(count), *a = reals(count);
    fill(original, count);
    for (size_t i = 0; i < n; i++)
        original[i * n + i] += (REAL)n;
    for (int rep = 0; rep < p.reps; rep++) {
        memcpy(a, original, count * sizeof(REAL));
        a[rep % count] += noise();
        factor(p.n, (void *)a);
    }
    digest(a, count);
    free(original);
    free(a);
}
