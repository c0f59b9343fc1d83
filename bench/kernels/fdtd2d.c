// Electromagnetic waves in two dimensions on a staggered grid (FDTD), with a source along one edge.
// bench: group=stencil size=900x120 quick=350x160
#include "kernel.h"

HOT void electric(int n, REAL ex[restrict n][n], REAL ey[restrict n][n], const REAL hz[restrict n][n])
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            ey[i][j] -= (REAL)0.5 * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j++)
            ex[i][j] += (REAL)0.5 * (hz[i][j] - hz[i][j - 1]);
}

HOT void magnetic(int n, REAL hz[restrict n][n], const REAL ex[restrict n][n], const REAL ey[restrict n][n])
{
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1; j++)
            hz[i][j] += (REAL)0.5 * (ex[i][j + 1] - ex[i][j] - ey[i + 1][j] + ey[i][j]);
}

static void kernel(struct problem p)
{
    size_t n = p.n, count = n * n;
    REAL *ex = reals(count), *ey = reals(count), *hz = reals(count);
    fill(ex, count);
    fill(ey, count);
    fill(hz, count);
    for (int rep = 0; rep < p.reps; rep++) {
        for (size_t j = 0; j < n; j++)
            ey[j] = (REAL)(rep % 64) / 64;
        electric(p.n, (void *)ex, (void *)ey, (void *)hz);
        magnetic(p.n, (void *)hz, (void *)ex, (void *)ey);
    }
    digest(hz, count);
    free(ex);
    free(ey);
    free(hz);
}
