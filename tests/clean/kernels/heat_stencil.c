// nonius: opt=O0,O2,O3,O3-native
// A diffusion stencil: averages of positive numbers.
#include <stdio.h>

#define N 40

static double t[2][N][N];

__attribute__((noinline)) static void step(double from[N][N], double to[N][N]) {
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            to[i][j] = 0.2 * (from[i][j] + from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) t[0][i][j] = t[1][i][j] = 1 + i * 0.1 + j * 0.05;
    for (int n = 0; n < 20; n++) step(t[n % 2], t[1 - n % 2]);
    printf("%.12g\n", t[0][N / 2][N / 2]);
}
