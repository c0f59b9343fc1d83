// Adaptive Simpson quadrature: a recursion through function pointers that passes and returns floats.
// bench: group=branchy size=14x9600 quick=12x1400
#include "kernel.h"

typedef REAL (*integrand)(REAL);

static REAL runge(REAL x) { return 1 / (1 + 25 * x * x); }
static REAL rational(REAL x) { return (x + 2) / (x * x + (REAL)0.01); }
static REAL root(REAL x) { return sqrt(x + (REAL)1.0001); }

static REAL simpson(REAL a, REAL b, REAL fa, REAL fm, REAL fb) { return (b - a) / 6 * (fa + 4 * fm + fb); }

HOT REAL refine(integrand f, REAL a, REAL b, REAL fa, REAL fm, REAL fb, REAL whole, REAL tolerance, int depth)
{
    REAL m = (a + b) / 2, fl = f((a + m) / 2), fr = f((m + b) / 2);
    REAL left = simpson(a, m, fa, fl, fm), right = simpson(m, b, fm, fr, fb), change = left + right - whole;
    if (depth == 0 || (change < tolerance && change > -tolerance))
        return left + right;
    return refine(f, a, m, fa, fl, fm, left, tolerance / 2, depth - 1)
           + refine(f, m, b, fm, fr, fb, right, tolerance / 2, depth - 1);
}

static void kernel(struct problem p)
{
    static const integrand FUNCTIONS[] = {runge, rational, root};
    const REAL tolerance = sizeof(REAL) == sizeof(float) ? (REAL)1e-5 : (REAL)1e-9;
    for (int rep = 0; rep < p.reps; rep++)
        for (int i = 0; i < 3; i++) {
            integrand f = FUNCTIONS[i];
            REAL a = -1 + noise() / 16, b = 1, fa = f(a), fm = f((a + b) / 2), fb = f(b);
            REAL area = refine(f, a, b, fa, fm, fb, simpson(a, b, fa, fm, fb), tolerance, p.n);
            digest(&area, 1);
        }
}
