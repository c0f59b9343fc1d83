// Conjugate gradients on a sparse matrix in CSR form: 24 steps on a 5-point Laplacian with noise on its diagonal.
// bench: group=solver size=300x18 quick=140x13
#include "kernel.h"

enum { STEPS = 24 };

struct csr {
    int rows;
    int *start, *column;
    REAL *value;
};

static struct csr laplacian(int n)
{
    size_t rows = (size_t)n * n;
    struct csr m = {n * n, (int *)allocate(rows + 1, sizeof(int)), (int *)allocate(5 * rows, sizeof(int)), reals(5 * rows)};
    int used = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int row = i * n + j;
            const int neighbour[5] = {i > 0 ? row - n : -1, j > 0 ? row - 1 : -1, row, j + 1 < n ? row + 1 : -1,
                                      i + 1 < n ? row + n : -1};
            m.start[row] = used;
            for (int k = 0; k < 5; k++)
                if (neighbour[k] >= 0) {
                    m.column[used] = neighbour[k];
                    m.value[used++] = k == 2 ? (REAL)4 + noise() : (REAL)-1;
                }
        }
    m.start[rows] = used;
    return m;
}

HOT void multiply(const struct csr *m, REAL *restrict y, const REAL *restrict x)
{
    for (int row = 0; row < m->rows; row++) {
        REAL sum = 0;
        for (int k = m->start[row]; k < m->start[row + 1]; k++)
            sum += m->value[k] * x[m->column[k]];
        y[row] = sum;
    }
}

HOT REAL dot(int n, const REAL *x, const REAL *y)
{
    REAL sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

HOT void add_scaled(int n, REAL *restrict y, REAL scale, const REAL *restrict x)
{
    for (int i = 0; i < n; i++)
        y[i] += scale * x[i];
}

static void solve(const struct csr *m, REAL *x, REAL *r, REAL *d, REAL *md)
{
    int n = m->rows;
    for (int i = 0; i < n; i++) {
        x[i] = 0;
        d[i] = r[i];
    }
    REAL square = dot(n, r, r);
    for (int step = 0; step < STEPS; step++) {
        multiply(m, md, d);
        REAL alpha = square / dot(n, d, md);
        add_scaled(n, x, alpha, d);
        add_scaled(n, r, -alpha, md);
        REAL next = dot(n, r, r);
        REAL beta = next / square;
        for (int i = 0; i < n; i++)
            d[i] = r[i] + beta * d[i];
        square = next;
    }
}

static void kernel(struct problem p)
{
    struct csr m = laplacian(p.n);
    REAL *vectors = reals(4 * (size_t)m.rows);
    REAL *x = vectors, *r = x + m.rows, *d = r + m.rows, *md = d + m.rows;
    for (int rep = 0; rep < p.reps; rep++) {
        fill(r, m.rows);
        solve(&m, x, r, d, md);
    }
    digest(x, m.rows);
    free(m.start);
    free(m.column);
    free(m.value);
    free(vectors);
}
