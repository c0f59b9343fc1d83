/* Puts a particle on an orbit at a mean anomaly, and asks for its orbit again: orbit ECCENTRICITY MEAN_ANOMALY
   Prints the particle's position and velocity, then the mean anomaly that came back. */
#include "rebound.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 3) {
        return 2;
    }
    double e = strtod(argv[1], NULL);
    double anomaly = strtod(argv[2], NULL);
    struct reb_particle star = {.m = 1.0};
    struct reb_particle p = reb_particle_from_orbit(1.0, star, 0.0, 1.0, e, 0.0, 0.0, 0.0, reb_M_to_f(e, anomaly));
    printf("%a %a %a %a %a %a\n", p.x, p.y, p.z, p.vx, p.vy, p.vz);
    printf("%.17g\n", reb_orbit_from_particle(1.0, p, star).M);
    return 0;
}
