// Cholesky factorization of a symmetric positive definite matrix, row by row.
// bench: group=solver size=300x110 quick=150x130
#include "kernel.h"

HOT void factor(int n, REAL a[n][n])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            REAL sum = a[i][j];
            for (int k = 0; k < j; k++)
                sum -= a[i][k] * a[j][k];
            a[i][j] = sum / a[j][j];
        }
        REAL pivot = a[i][i];
        for (int k = 0; k < i; k++)
            pivot -= a[i][k] * a[i][k];
        a[i][i] = sqrt(pivot);
    }
}

static void kernel(struct problem p)
{
    size_t n = p.n, count = n * n;
    REAL *original = reals(count), *a = reals(count);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++)
            original[i * n + j] = original[j * n + i] = noise();
        original[i * n + i] = (REAL)n + noise();
    }
    for (int rep = 0; rep < p.reps; rep++) {
        memcpy(a, original, count * sizeof(REAL));
        a[rep % n * (n + 1)] += noise();
        factor(p.n, (void *)a);
    }
    digest(a, count);
    free(original);
    free(a);
}
