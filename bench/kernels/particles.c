// Particles on a grid (particle-in-cell): a weighted gather, a push, and a weighted scatter. Floats become indices.
// bench: group=physics size=100000x600 quick=40000x200
#include "kernel.h"

enum { CELLS = 4096 };

HOT void push(int n, REAL position[restrict n], REAL speed[restrict n], const REAL field[restrict CELLS + 1])
{
    for (int i = 0; i < n; i++) {
        int cell = (int)position[i];
        REAL part = position[i] - cell;
        speed[i] += (REAL)0.01 * (field[cell] * (1 - part) + field[cell + 1] * part);
        position[i] += speed[i];
        if (position[i] >= CELLS)
            position[i] -= CELLS;
    }
}

HOT void deposit(int n, REAL density[restrict CELLS + 1], const REAL position[restrict n])
{
    for (int i = 0; i <= CELLS; i++)
        density[i] = 0;
    for (int i = 0; i < n; i++) {
        int cell = (int)position[i];
        REAL part = position[i] - cell;
        density[cell] += 1 - part;
        density[cell + 1] += part;
    }
}

static void kernel(struct problem p)
{
    size_t n = p.n;
    REAL *position = reals(n), *speed = reals(n), *density = reals(CELLS + 1), *field = reals(CELLS + 1);
    fill(speed, n);
    fill(field, CELLS + 1);
    for (size_t i = 0; i < n; i++)
        position[i] = noise() * CELLS;
    for (int rep = 0; rep < p.reps; rep++) {
        deposit(p.n, density, position);
        for (int i = 0; i <= CELLS; i++)
            field[i] = (field[i] + density[i] / (REAL)n) / 2;
        push(p.n, position, speed, field);
    }
    digest(density, CELLS + 1);
    digest(position, n);
    free(position);
    free(speed);
    free(density);
    free(field);
}
