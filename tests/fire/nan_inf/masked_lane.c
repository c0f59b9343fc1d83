// nonius: flags=-march=native
// The same with one lane that is stored although it divides by zero.
#include <stdio.h>

__attribute__((noinline)) static void inverses(const double *x, const int *use, double *out, int n) {
    for (int i = 0; i < n; i++)
        if (use[i]) out[i] = 1 / x[i]; //~ inf
}

int main(void) {
    static double x[67], out[67];
    static int use[67];
    for (int i = 0; i < 67; i++) x[i] = i % 4, use[i] = i % 4 != 0;
    use[40] = 1;
    inverses(x, use, out, 67);
    printf("%g\n", out[3]);
}
