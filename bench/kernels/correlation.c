// Correlation matrix of the rows of a table: standardized once, then products of rows.
// bench: group=mining size=260x50 quick=130x65
#include "kernel.h"

HOT void standardize(int n, REAL out[restrict n][n], const REAL data[restrict n][n])
{
    for (int i = 0; i < n; i++) {
        REAL mean = 0, square = 0;
        for (int k = 0; k < n; k++)
            mean += data[i][k];
        mean /= n;
        for (int k = 0; k < n; k++)
            square += (data[i][k] - mean) * (data[i][k] - mean);
        REAL deviation = sqrt(square);
        // A constant row has no direction: leave it at zero instead of dividing by nothing.
        for (int k = 0; k < n; k++)
            out[i][k] = deviation > (REAL)1e-3 ? (data[i][k] - mean) / deviation : 0;
    }
}

HOT void correlate(int n, REAL out[restrict n][n], const REAL rows[restrict n][n])
{
    for (int i = 0; i < n; i++) {
        out[i][i] = 1;
        for (int j = i + 1; j < n; j++) {
            REAL sum = 0;
            for (int k = 0; k < n; k++)
                sum += rows[i][k] * rows[j][k];
            out[i][j] = out[j][i] = sum;
        }
    }
}

static void kernel(struct problem p)
{
    size_t n = p.n, count = n * n;
    REAL *data = reals(count), *rows = reals(count), *out = reals(count);
    fill(data, count);
    for (int rep = 0; rep < p.reps; rep++) {
        data[rep % count] += (REAL)0.5;
        standardize(p.n, (void *)rows, (void *)data);
        correlate(p.n, (void *)out, (void *)rows);
    }
    digest(out, count);
    free(data);
    free(rows);
    free(out);
}
