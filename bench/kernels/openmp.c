// Power iteration on a dense matrix with OpenMP: parallel rows, a reduction by maximum.
// bench: group=threads size=700x730 quick=350x430 flags=-fopenmp threads=2
#include "kernel.h"
#include <omp.h>

HOT REAL multiply(int n, REAL y[restrict n], const REAL a[restrict n][n], const REAL x[restrict n])
{
    REAL largest = 0;
#pragma omp parallel for reduction(max : largest)
    for (int i = 0; i < n; i++) {
        REAL sum = 0;
        for (int j = 0; j < n; j++)
            sum += a[i][j] * x[j];
        y[i] = sum;
        largest = sum > largest ? sum : largest;
    }
    return largest;
}

static void kernel(struct problem p)
{
    size_t n = p.n;
    REAL *a = reals(n * n), *x = reals(n), *y = reals(n);
    omp_set_num_threads(p.threads);
    fill(a, n * n);
    fill(x, n);
    for (int rep = 0; rep < p.reps; rep++) {
        REAL largest = multiply(p.n, y, (void *)a, x);
        for (size_t i = 0; i < n; i++)
            x[i] = y[i] / largest;
    }
    digest(x, n);
    free(a);
    free(x);
    free(y);
}
