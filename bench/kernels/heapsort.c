// Sorting floats in a heap: comparisons and moves, no arithmetic.
// bench: group=branchy size=200000x8 quick=60000x4
#include "kernel.h"

static void sift(REAL *heap, size_t from, size_t end)
{
    REAL value = heap[from];
    for (size_t child; (child = 2 * from + 1) < end; from = child) {
        if (child + 1 < end && heap[child] < heap[child + 1])
            child++;
        if (!(value < heap[child]))
            break;
        heap[from] = heap[child];
    }
    heap[from] = value;
}

HOT void sort(size_t n, REAL *values)
{
    for (size_t i = n / 2; i-- > 0;)
        sift(values, i, n);
    for (size_t end = n - 1; end > 0; end--) {
        REAL largest = values[0];
        values[0] = values[end];
        values[end] = largest;
        sift(values, 0, end);
    }
}

static void kernel(struct problem p)
{
    REAL *values = reals(p.n);
    for (int rep = 0; rep < p.reps; rep++) {
        for (int i = 0; i < p.n; i++)
            values[i] = noise() * 100 + noise();
        sort(p.n, values);
        digest(values, p.n);
    }
    free(values);
}
