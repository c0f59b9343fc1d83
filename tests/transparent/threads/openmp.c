// nonius: flags=-fopenmp
// Parallel loops, tasks and sections: what each element becomes does not depend on the threads.
#include <math.h>
#include <stdio.h>

static double a[256], b[256], c[16];

static void halve(double *first, int count) {
    if (count == 1) {
        *first = sqrt(*first) / 3;
        return;
    }
#pragma omp task
    halve(first, count / 2);
#pragma omp task
    halve(first + count / 2, count - count / 2);
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel for simd
    for (int i = 0; i < 256; i++) a[i] = sin(i * 0.1) + 1.1;
#pragma omp parallel
#pragma omp single
    halve(a, 256);
#pragma omp parallel for collapse(2) firstprivate(a)
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) b[16 * i + j] = a[16 * j + i] * (i - j) + 1.0 / (i + j + 1);
#pragma omp parallel sections
    {
#pragma omp section
        for (int i = 0; i < 8; i++) c[i] = b[i] * b[i + 1];
#pragma omp section
        for (int i = 8; i < 16; i++) c[i] = b[i] / (b[i + 1] + 2);
    }
    for (int i = 0; i < 256; i++) printf("%a\n", b[i]);
    for (int i = 0; i < 16; i++) printf("%a\n", c[i]);
}
