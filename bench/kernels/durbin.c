// Levinson-Durbin recursion for a symmetric Toeplitz system.
// bench: group=solver size=2000x120 quick=700x120
#include "kernel.h"

HOT void durbin(int n, const REAL r[restrict n], REAL y[restrict n], REAL z[restrict n])
{
    REAL beta = 1, alpha = -r[0];
    y[0] = -r[0];
    for (int k = 1; k < n; k++) {
        beta *= (1 - alpha * alpha);
        REAL sum = r[k];
        for (int i = 0; i < k; i++)
            sum += r[k - i - 1] * y[i];
        alpha = -sum / beta;
        for (int i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - i - 1];
        for (int i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
}

static void kernel(struct problem p)
{
    size_t n = p.n;
    REAL *r = reals(n), *y = reals(n), *z = reals(n);
    for (int rep = 0; rep < p.reps; rep++) {
        // Convex and falling, which makes the system positive definite.
        REAL scale = (REAL)0.25 + noise() / 8;
        for (size_t i = 0; i < n; i++)
            r[i] = scale / (REAL)(i + 1);
        durbin(p.n, r, y, z);
    }
    digest(y, n);
    free(r);
    free(y);
    free(z);
}
