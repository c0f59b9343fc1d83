// Gravity between all pairs of bodies, softened, with leapfrog steps.
// bench: group=physics size=500x280 quick=250x150
#include "kernel.h"

struct bodies {
    REAL *x, *y, *z, *vx, *vy, *vz, *mass;
};

HOT void accelerate(int n, struct bodies b, REAL dt)
{
    for (int i = 0; i < n; i++) {
        REAL ax = 0, ay = 0, az = 0;
        for (int j = 0; j < n; j++) {
            REAL dx = b.x[j] - b.x[i], dy = b.y[j] - b.y[i], dz = b.z[j] - b.z[i];
            REAL square = dx * dx + dy * dy + dz * dz + (REAL)0.01;
            REAL pull = b.mass[j] / (square * sqrt(square));
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        b.vx[i] += dt * ax;
        b.vy[i] += dt * ay;
        b.vz[i] += dt * az;
    }
}

HOT void drift(int n, struct bodies b, REAL dt)
{
    for (int i = 0; i < n; i++) {
        b.x[i] += dt * b.vx[i];
        b.y[i] += dt * b.vy[i];
        b.z[i] += dt * b.vz[i];
    }
}

static void kernel(struct problem p)
{
    size_t n = p.n;
    REAL *all = reals(7 * n);
    struct bodies b = {all, all + n, all + 2 * n, all + 3 * n, all + 4 * n, all + 5 * n, all + 6 * n};
    fill(all, 7 * n);
    for (size_t i = 0; i < n; i++)
        b.mass[i] /= (REAL)n;
    for (int rep = 0; rep < p.reps; rep++) {
        accelerate(p.n, b, (REAL)0.001);
        drift(p.n, b, (REAL)0.001);
    }
    digest(all, 6 * n);
    free(all);
}
