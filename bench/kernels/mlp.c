// A small neural network, forward: dense layers with tanh between them.
// bench: group=signal size=400x530 quick=200x290
#include "kernel.h"

enum { LAYERS = 4 };

HOT void layer(int n, REAL out[restrict n], const REAL in[restrict n], const REAL weight[restrict n][n],
               const REAL bias[restrict n])
{
    for (int i = 0; i < n; i++) {
        REAL sum = bias[i];
        for (int j = 0; j < n; j++)
            sum += weight[i][j] * in[j];
        out[i] = tanh(sum);
    }
}

static void kernel(struct problem p)
{
    size_t n = p.n, matrix = n * n;
    REAL *weight = reals(LAYERS * matrix), *bias = reals(LAYERS * n), *a = reals(n), *b = reals(n);
    fill(weight, LAYERS * matrix);
    for (size_t i = 0; i < LAYERS * matrix; i++)
        weight[i] = weight[i] * 2 / (REAL)n;
    fill(bias, LAYERS * n);
    fill(a, n);
    for (int rep = 0; rep < p.reps; rep++)
        for (int l = 0; l < LAYERS; l++) {
            layer(p.n, b, a, (void *)(weight + l * matrix), bias + l * n);
            REAL *other = a;
            a = b;
            b = other;
        }
    digest(a, n);
    free(weight);
    free(bias);
    free(a);
    free(b);
}
