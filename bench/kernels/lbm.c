// Lattice Boltzmann in two dimensions with nine directions: collide, then stream, on a periodic grid.
// bench: group=physics size=240x130 quick=120x75
#include "kernel.h"

enum { DIRECTIONS = 9 };
static const int STEP_X[DIRECTIONS] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int STEP_Y[DIRECTIONS] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const REAL WEIGHT[DIRECTIONS] = {(REAL)(4.0 / 9),  (REAL)(1.0 / 9),  (REAL)(1.0 / 9),
                                        (REAL)(1.0 / 9),  (REAL)(1.0 / 9),  (REAL)(1.0 / 36),
                                        (REAL)(1.0 / 36), (REAL)(1.0 / 36), (REAL)(1.0 / 36)};

// One cell's populations relax towards equilibrium.
static inline void collide(REAL f[DIRECTIONS], REAL relax)
{
    REAL density = 0, ux = 0, uy = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        density += f[d];
        ux += f[d] * STEP_X[d];
        uy += f[d] * STEP_Y[d];
    }
    ux /= density;
    uy /= density;
    REAL still = 1 - (REAL)1.5 * (ux * ux + uy * uy);
    for (int d = 0; d < DIRECTIONS; d++) {
        REAL along = 3 * (ux * STEP_X[d] + uy * STEP_Y[d]);
        REAL equilibrium = WEIGHT[d] * density * (still + along + along * along / 2);
        f[d] += relax * (equilibrium - f[d]);
    }
}

HOT void step(int n, REAL next[restrict n][n][DIRECTIONS], const REAL now[restrict n][n][DIRECTIONS])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            REAL f[DIRECTIONS];
            for (int d = 0; d < DIRECTIONS; d++)
                f[d] = now[i][j][d];
            collide(f, (REAL)0.6);
            for (int d = 0; d < DIRECTIONS; d++)
                next[(i + STEP_X[d] + n) % n][(j + STEP_Y[d] + n) % n][d] = f[d];
        }
}

static void kernel(struct problem p)
{
    size_t count = (size_t)p.n * p.n * DIRECTIONS;
    REAL *now = reals(count), *next = reals(count);
    for (size_t i = 0; i < count; i++)
        now[i] = WEIGHT[i % DIRECTIONS] * (1 + noise() / 8);
    for (int rep = 0; rep < p.reps; rep++) {
        step(p.n, (void *)next, (void *)now);
        REAL *other = now;
        now = next;
        next = other;
    }
    digest(now, count);
    free(now);
    free(next);
}
