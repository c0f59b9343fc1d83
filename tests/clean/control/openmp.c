// nonius: flags=-fopenmp
// Parallel sums of numbers that add up without rounding, by a reduction, an atomic update and a critical section.
#include <stdio.h>

int main(void) {
    volatile double step = 0.25;
    double by_reduction = 0, by_atomic = 0, by_critical = 0, most = 0;
#pragma omp parallel for reduction(+ : by_reduction) reduction(max : most)
    for (int i = 0; i < 1000; i++) {
        by_reduction += step * i;
        if (step * i > most) most = step * i;
#pragma omp atomic
        by_atomic += step * i;
#pragma omp critical
        by_critical += step * i;
    }
    printf("%g %g %g %g\n", by_reduction, by_atomic, by_critical, most);
}
