// The Mandelbrot set: a loop that ends by a comparison of floats.
// bench: group=branchy size=200x35 quick=100x19
#include "kernel.h"

HOT int escape(REAL cx, REAL cy)
{
    REAL x = 0, y = 0;
    int step = 0;
    while (step < 200 && x * x + y * y < 4) {
        REAL next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        step++;
    }
    return step;
}

static void kernel(struct problem p)
{
    for (int rep = 0; rep < p.reps; rep++) {
        REAL left = -2 - noise() / 16, top = (REAL)-1.25;
        for (int i = 0; i < p.n; i++)
            for (int j = 0; j < p.n; j++)
                digest_word(escape(left + (REAL)2.5 * j / p.n, top + (REAL)2.5 * i / p.n));
    }
}
