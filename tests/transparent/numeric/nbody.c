// Planets: square roots, divisions, arrays of structs.
#include <math.h>
#include <stdio.h>

#define N 5

struct body { double x[3], v[3], m; };

int main(void) {
    struct body b[N];
    for (int i = 0; i < N; i++)
        b[i] = (struct body){{i * 1.3, cos(i), i * i * 0.1}, {sin(i) * 0.3, 0.1 * i, -0.05 * i}, i ? 0.01 * i : 10};
    for (int step = 0; step < 500; step++) {
        for (int i = 0; i < N; i++)
            for (int j = i + 1; j < N; j++) {
                double d[3], r2 = 0.01;
                for (int k = 0; k < 3; k++) d[k] = b[i].x[k] - b[j].x[k], r2 += d[k] * d[k];
                double s = 0.001 / (r2 * sqrt(r2));
                for (int k = 0; k < 3; k++) b[i].v[k] -= d[k] * b[j].m * s, b[j].v[k] += d[k] * b[i].m * s;
            }
        for (int i = 0; i < N; i++)
            for (int k = 0; k < 3; k++) b[i].x[k] += 0.001 * b[i].v[k];
    }
    for (int i = 0; i < N; i++) printf("%a %a %a %a\n", b[i].x[0], b[i].x[1], b[i].x[2], b[i].v[0]);
}
