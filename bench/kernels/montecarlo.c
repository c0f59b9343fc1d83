// The price of an option by Monte Carlo: normal variates by Box-Muller, so log, sqrt, sin, cos and exp for each path.
// bench: group=physics size=20000x420 quick=20000x60
#include "kernel.h"

HOT REAL price(int paths, REAL spot, REAL strike, REAL rate, REAL volatility)
{
    REAL drift = rate - volatility * volatility / 2, total = 0;
    for (int i = 0; i < paths; i += 2) {
        REAL radius = sqrt(-2 * log((REAL)1 - noise())), angle = (REAL)6.2831853071795865 * noise();
        REAL first = spot * exp(drift + volatility * radius * cos(angle));
        REAL second = spot * exp(drift + volatility * radius * sin(angle));
        total += first > strike ? first - strike : 0;
        total += second > strike ? second - strike : 0;
    }
    return exp(-rate) * total / paths;
}

static void kernel(struct problem p)
{
    for (int rep = 0; rep < p.reps; rep++) {
        REAL value = price(p.n, 100, 80 + rep % 40, (REAL)0.03, (REAL)0.2);
        digest(&value, 1);
    }
}
