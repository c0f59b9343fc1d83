// nonius: opt=O0,O2,O3,O3-native
// Products of well-behaved matrices, in double and in float.
#include <stdio.h>

#define N 24

static double a[N][N], b[N][N], c[N][N];
static float x[N][N], y[N][N], z[N][N];

__attribute__((noinline)) static void multiply(void) {
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++) c[i][j] += a[i][k] * b[k][j], z[i][j] += x[i][k] * y[k][j];
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * j % 7 + 1) / 7.0, b[i][j] = (i * (j + 1) % 9 + 1) / 9.0;
            x[i][j] = (float)a[i][j], y[i][j] = (float)b[i][j];
        }
    multiply();
    printf("%.12g %.6g\n", c[3][5], (double)z[3][5]);
}
