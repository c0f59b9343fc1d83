// Variable-length arrays, alloca, big static arrays, arrays of arrays as parameters.
#include <alloca.h>
#include <stdio.h>

static double big[1 << 17];
static float cube[20][20][20];

__attribute__((noinline)) static double trace(int n, double m[n][n]) {
    double t = 0;
    for (int i = 0; i < n; i++) t += m[i][i] / (i + 1);
    return t;
}

int main(void) {
    volatile double in = 0.1;
    for (volatile int n = 1; n < 30; n += 7) {
        double m[n][n], *p = alloca(n * sizeof *p);
        for (int i = 0; i < n; i++) {
            p[i] = in * i;
            for (int j = 0; j < n; j++) m[i][j] = p[i] - in / (j + 1);
        }
        printf("%a\n", trace(n, m));
    }
    for (int i = 1; i < 1 << 17; i++) big[i] = big[i - 1] * 0.999 + in;
    for (int i = 1; i < 19; i++)
        for (int j = 1; j < 19; j++)
            for (int k = 1; k < 19; k++) cube[i][j][k] = cube[i - 1][j][k] + cube[i][j - 1][k] * 0.5f + (float)in * (float)k;
    printf("%a %a\n", big[(1 << 17) - 1], (double)cube[18][18][18]);
}
