// The Lorenz attractor in Euler steps, from many starts for a short time: pure arithmetic, no calls.
// bench: group=physics size=40000x480 quick=8000x340
#include "kernel.h"

HOT void advance(int n, REAL x[restrict n], REAL y[restrict n], REAL z[restrict n])
{
    const REAL h = (REAL)0.001953125, sigma = 10, rho = 28, beta = (REAL)8 / 3;
    for (int i = 0; i < n; i++) {
        REAL a = x[i], b = y[i], c = z[i];
        for (int k = 0; k < 8; k++) {
            REAL da = sigma * (b - a), db = a * (rho - c) - b, dc = a * b - beta * c;
            a += h * da;
            b += h * db;
            c += h * dc;
        }
        x[i] = a;
        y[i] = b;
        z[i] = c;
    }
}

static void kernel(struct problem p)
{
    size_t n = p.n;
    REAL *x = reals(n), *y = reals(n), *z = reals(n);
    fill(x, n);
    fill(y, n);
    fill(z, n);
    for (size_t i = 0; i < n; i++)
        z[i] += 20;
    for (int rep = 0; rep < p.reps; rep++)
        advance(p.n, x, y, z);
    digest(x, n);
    digest(y, n);
    digest(z, n);
    free(x);
    free(y);
    free(z);
}
