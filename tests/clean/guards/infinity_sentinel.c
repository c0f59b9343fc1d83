// Shortest paths with infinity for "none": sums and comparisons with it are no findings.
#include <math.h>
#include <stdio.h>

int main(void) {
    double d[5][5];
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) d[i][j] = i == j ? 0 : (i * 3 + j) % 4 == 1 ? 0.1 * (i + j) : INFINITY;
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                if (d[i][k] + d[k][j] < d[i][j]) d[i][j] = d[i][k] + d[k][j];
    printf("%g %g\n", d[0][1], d[3][0]);
}
