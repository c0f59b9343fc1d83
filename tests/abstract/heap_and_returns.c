// What the test leaves is on the heap and in what a function returns; its integer is dead when the function is left.
// bound: s 0 1e-13
#include <nonius.h>
#include <stdio.h>
#include <stdlib.h>

static double limited(double x, double *where) {
    int is_low = 0;
    if (x < 0.5)
        is_low = 1;
    *where = is_low ? x : 1 - x;
    return is_low ? 2 * x : 2 - 2 * x;
}

int main(void) {
    double x = 0.2, s = 0, *a = malloc(20 * sizeof *a);
    nonius_input(&x, 0.0, 1.0);
    for (int i = 0; i < 20; i++) s += limited(x, &a[i]);
    for (int i = 0; i < 20; i++) s += a[i];
    nonius_bounds(&s);
    printf("%g\n", s);
    free(a);
    return 0;
}
