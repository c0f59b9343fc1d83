// A well-conditioned system solved with partial pivoting.
#include <math.h>
#include <stdio.h>

#define N 8

int main(void) {
    double a[N][N + 1];
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= N; j++) a[i][j] = i == j ? 10 + i * 0.1 : 1.0 / (i + 2 * j + 1);
    for (int k = 0; k < N; k++) {
        int p = k;
        for (int i = k + 1; i < N; i++)
            if (fabs(a[i][k]) > fabs(a[p][k])) p = i;
        for (int j = k; j <= N; j++) {
            double t = a[k][j];
            a[k][j] = a[p][j], a[p][j] = t;
        }
        for (int i = k + 1; i < N; i++) {
            double f = a[i][k] / a[k][k];
            a[i][k] = 0;
            for (int j = k + 1; j <= N; j++) a[i][j] -= f * a[k][j];
        }
    }
    for (int k = N - 1; k >= 0; k--) {
        for (int j = k + 1; j < N; j++) a[k][N] -= a[k][j] * a[j][N];
        a[k][N] /= a[k][k];
    }
    printf("%.12g %.12g\n", a[0][N], a[N - 1][N]);
}
