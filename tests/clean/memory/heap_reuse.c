// Freed memory that held errors is handed out again and filled with the same values, now exact.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double exact[4] = {1e17, 1e17, 1e17, 1e17};

int main(void) {
    volatile double big = 1e17, small = 3;
    for (int round = 0; round < 4; round++) {
        double *a = malloc(sizeof exact);
        for (int i = 0; i < 4; i++) a[i] = big + small;
        free(a);
        double *b = malloc(sizeof exact), *c = calloc(4, sizeof *c);
        memcpy(b, exact, sizeof exact);
        printf("%g %g\n", b[1] - big, c[1]);
        free(b);
        free(c);
    }
}
