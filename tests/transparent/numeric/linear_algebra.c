// nonius: opt=O0,O1,O2,O3,O2-native,O2-contract
// (Left out: where the code generator reassociates by the latencies around a sum, which shadow code changes.)
// Matrix product, LU, Jacobi sweeps and Cholesky, in double and float.
#include <math.h>
#include <stdio.h>

#define N 20

static double a[N][N], l[N][N], c[N][N];
static float f[N][N], g[N][N];

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i][j] = 1.0 / (i + j + 1) + (i == j ? 2 : 0), f[i][j] = (float)a[i][j] - 1;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++) c[i][j] += a[i][k] * a[k][j], g[i][j] += f[k][i] * f[j][k];
    for (int j = 0; j < N; j++) {
        double s = a[j][j];
        for (int k = 0; k < j; k++) s -= l[j][k] * l[j][k];
        l[j][j] = sqrt(s);
        for (int i = j + 1; i < N; i++) {
            s = a[i][j];
            for (int k = 0; k < j; k++) s -= l[i][k] * l[j][k];
            l[i][j] = s / l[j][j];
        }
    }
    for (int n = 0; n < 10; n++)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) a[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4;
    for (int i = 0; i < N; i++) printf("%a %a %a %a\n", c[i][N - 1 - i], l[N - 1][i], (double)g[i][i / 2], a[i][N / 2]);
}
