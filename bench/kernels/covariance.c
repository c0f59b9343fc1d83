// Covariance matrix of the columns of a table; the table is centred first.
// bench: group=mining size=220x85 quick=110x100
#include "kernel.h"

HOT void centre(int n, REAL centred[restrict n][n], const REAL data[restrict n][n], REAL mean[restrict n])
{
    for (int j = 0; j < n; j++)
        mean[j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            mean[j] += data[i][j];
    for (int j = 0; j < n; j++)
        mean[j] /= n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            centred[i][j] = data[i][j] - mean[j];
}

HOT void covariance(int n, REAL out[restrict n][n], const REAL data[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            REAL sum = 0;
            for (int k = 0; k < n; k++)
                sum += data[k][i] * data[k][j];
            out[i][j] = out[j][i] = sum / (n - 1);
        }
}

static void kernel(struct problem p)
{
    size_t n = p.n, count = n * n;
    REAL *data = reals(count), *centred = reals(count), *out = reals(count), *mean = reals(n);
    fill(data, count);
    for (int rep = 0; rep < p.reps; rep++) {
        data[rep % count] += (REAL)0.5;
        centre(p.n, (void *)centred, (void *)data, mean);
        covariance(p.n, (void *)out, (void *)centred);
    }
    digest(out, count);
    free(data);
    free(centred);
    free(out);
    free(mean);
}
