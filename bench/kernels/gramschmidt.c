// QR factorization by modified Gram-Schmidt; the vectors are rows.
// bench: group=solver size=240x35 quick=120x35
#include "kernel.h"

HOT void orthonormalize(int n, REAL q[n][n], REAL r[n][n])
{
    for (int k = 0; k < n; k++) {
        REAL square = 0;
        for (int i = 0; i < n; i++)
            square += q[k][i] * q[k][i];
        r[k][k] = sqrt(square);
        for (int i = 0; i < n; i++)
            q[k][i] /= r[k][k];
        for (int j = k + 1; j < n; j++) {
            REAL product = 0;
            for (int i = 0; i < n; i++)
                product += q[k][i] * q[j][i];
            r[k][j] = product;
            for (int i = 0; i < n; i++)
                q[j][i] -= product * q[k][i];
        }
    }
}

static void kernel(struct problem p)
{
    size_t n = p.n, count = n * n;
    REAL *original = reals(count), *q = reals(count), *r = reals(count);
    fill(original, count);
    memset(r, 0, count * sizeof(REAL));
    // Away from singular, so that what is left of a row is never a mere rounding error.
    for (size_t i = 0; i < n; i++)
        original[i * n + i] += (REAL)8;
    for (int rep = 0; rep < p.reps; rep++) {
        memcpy(q, original, count * sizeof(REAL));
        q[rep % count] += noise();
        orthonormalize(p.n, (void *)q, (void *)r);
    }
    digest(q, count);
    digest(r, count);
    free(original);
    free(q);
    free(r);
}
