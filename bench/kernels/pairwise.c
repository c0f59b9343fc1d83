// The sum of an array by halves: a recursion whose leaves are short loops.
// bench: group=sum size=4000000x100 quick=1000000x80
#include "kernel.h"

enum { LEAF = 32 };

HOT REAL sum(size_t n, const REAL *values)
{
    if (n <= LEAF) {
        REAL total = 0;
        for (size_t i = 0; i < n; i++)
            total += values[i];
        return total;
    }
    return sum(n / 2, values) + sum(n - n / 2, values + n / 2);
}

static void kernel(struct problem p)
{
    REAL *values = reals(p.n), total = 0;
    fill(values, p.n);
    for (int rep = 0; rep < p.reps; rep++) {
        values[rep % p.n] += 1;
        total = sum(p.n, values);
        digest(&total, 1);
    }
    free(values);
}
