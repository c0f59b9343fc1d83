// Runge-Kutta steps of order four for many damped pendulums, each driven by its own force.
// bench: group=physics size=2000x75 quick=1000x20
#include "kernel.h"

struct state {
    REAL angle, speed;
};

static inline struct state derivative(struct state s, REAL force)
{
    return (struct state){s.speed, force - (REAL)0.25 * s.speed - sin(s.angle)};
}

static inline struct state moved(struct state s, REAL h, struct state d)
{
    return (struct state){s.angle + h * d.angle, s.speed + h * d.speed};
}

static inline struct state step(struct state s, REAL force, REAL h)
{
    struct state k1 = derivative(s, force);
    struct state k2 = derivative(moved(s, h / 2, k1), force);
    struct state k3 = derivative(moved(s, h / 2, k2), force);
    struct state k4 = derivative(moved(s, h, k3), force);
    s.angle += h / 6 * (k1.angle + 2 * k2.angle + 2 * k3.angle + k4.angle);
    s.speed += h / 6 * (k1.speed + 2 * k2.speed + 2 * k3.speed + k4.speed);
    return s;
}

HOT void advance(int n, struct state *states, const REAL *force, int steps)
{
    for (int i = 0; i < n; i++) {
        struct state s = states[i];
        for (int k = 0; k < steps; k++)
            s = step(s, force[i], (REAL)0.0625);
        states[i] = s;
    }
}

static void kernel(struct problem p)
{
    struct state *states = allocate(p.n, sizeof *states);
    REAL *force = reals(p.n);
    fill(&states->angle, 2 * (size_t)p.n);
    for (int i = 0; i < p.n; i++)
        force[i] = (REAL)0.25 + noise() / 2;
    for (int rep = 0; rep < p.reps; rep++)
        advance(p.n, states, force, 32);
    digest(&states->angle, 2 * (size_t)p.n);
    free(states);
    free(force);
}
