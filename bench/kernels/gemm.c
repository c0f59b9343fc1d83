// Matrix product: C = alpha A B + beta C.
// bench: group=dense size=250x55 quick=120x60 sweep=160x12,240x12,360x12,540x12
#include "kernel.h"

HOT void gemm(int n, REAL alpha, REAL beta, REAL c[restrict n][n], const REAL a[restrict n][n],
              const REAL b[restrict n][n])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            c[i][j] *= beta;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                c[i][j] += alpha * a[i][k] * b[k][j];
    }
}

static void kernel(struct problem p)
{
    size_t count = (size_t)p.n * p.n;
    REAL *a = reals(count), *b = reals(count), *c = reals(count);
    fill(a, count);
    fill(b, count);
    fill(c, count);
    for (int rep = 0; rep < p.reps; rep++)
        gemm(p.n, (REAL)1.5, (REAL)0.25, (void *)c, (void *)a, (void *)b);
    digest(c, count);
    free(a);
    free(b);
    free(c);
}
