// Alternating directions: implicit steps of the heat equation, tridiagonal solves along columns, then rows.
// bench: group=stencil size=400x75 quick=200x40
#include "kernel.h"

// One half step: implicit along the second index of `to`, explicit across it. It writes transposed,
// so that calling it twice has gone through both directions.
HOT void half_step(int n, REAL to[restrict n][n], const REAL from[restrict n][n], REAL p[restrict n], REAL q[restrict n])
{
    const REAL a = (REAL)-0.3, b = 1 - 2 * a, across = (REAL)0.3;
    for (int i = 1; i < n - 1; i++) {
        p[0] = 0;
        q[0] = from[0][i];
        for (int j = 1; j < n - 1; j++) {
            REAL right = across * from[j][i - 1] + (1 - 2 * across) * from[j][i] + across * from[j][i + 1];
            REAL pivot = a * p[j - 1] + b;
            p[j] = -a / pivot;
            q[j] = (right - a * q[j - 1]) / pivot;
        }
        to[i][n - 1] = from[n - 1][i];
        for (int j = n - 2; j >= 1; j--)
            to[i][j] = p[j] * to[i][j + 1] + q[j];
    }
}

static void kernel(struct problem p)
{
    size_t n = p.n, count = n * n;
    REAL *u = reals(count), *v = reals(count), *line = reals(2 * n);
    fill(u, count);
    fill(v, count);
    for (int rep = 0; rep < p.reps; rep++) {
        half_step(p.n, (void *)v, (void *)u, line, line + n);
        half_step(p.n, (void *)u, (void *)v, line, line + n);
    }
    digest(u, count);
    free(u);
    free(v);
    free(line);
}
