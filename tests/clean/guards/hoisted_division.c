// mass is 0 until something was added, and the division by it is guarded. It does not change in the inner loop, so the
// optimizer computes it ahead of the guard.
#include <stdio.h>

__attribute__((noinline)) void pull(const double *x, double *a, int n) {
    double moment = 0, mass = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < j + 1; i++) {
            if (j > 1) a[i] += x[j] - moment / mass;
        }
        moment += x[j];
        mass += 1;
    }
}

int main(void) {
    volatile double four = 4;
    double x[5] = {1, 2, 3, four, 5}, a[5] = {0};
    pull(x, a, 5);
    printf("%g\n", a[0]);
    return 0;
}
