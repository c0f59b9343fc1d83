// The determinant of a Hilbert matrix: elimination leaves pivots that are mostly rounding.
#include <stdio.h>

#define N 10

__attribute__((noinline)) double determinant(double a[N][N]) {
    double d = 1;
    for (int k = 0; k < N; k++) {
        d *= a[k][k]; //~? precision-loss: 33..53 bits lost
        for (int i = k + 1; i < N; i++)
            for (int j = N - 1; j >= k; j--)
                a[i][j] -= a[i][k] / a[k][k] * a[k][j]; //~ precision-loss: 33..53 bits lost @store
    }
    return d;
}

int main(void) {
    double a[N][N];
    volatile double one = 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i][j] = one / (i + j + 1);
    printf("%g\n", determinant(a));
}
