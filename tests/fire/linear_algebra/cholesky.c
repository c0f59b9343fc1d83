// Cholesky of A*A^T, positive definite in exact arithmetic: a rounded entry makes a pivot 0, then x/0 and sqrt(-inf).
#include <math.h>
#include <stdio.h>

#define N 3

__attribute__((noinline)) void square(double a[N][N], double s[N][N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            s[i][j] = 0;
            for (int k = 0; k < N; k++) s[i][j] += a[i][k] * a[j][k];
        }
}

__attribute__((noinline)) void factor(double s[N][N], double l[N][N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            double rest = s[i][j];
            for (int k = 0; k < j; k++) rest -= l[i][k] * l[j][k]; //~ precision-loss: 52..53 bits lost
            if (i == j)
                l[i][j] = sqrt(rest); //~ nan
            else
                l[i][j] = rest / l[j][j]; //~ inf
        }
}

int main(void) {
    volatile double big = 3e8;
    double a[N][N] = {{1, 0, 0}, {big, 1, 0}, {0, 7, 1}}, s[N][N], l[N][N] = {{0}};
    square(a, s);
    factor(s, l);
    printf("%g\n", l[2][1]);
}
