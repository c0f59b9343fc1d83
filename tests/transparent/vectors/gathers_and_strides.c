// Indexed, strided, interleaved and reversed access; scatters; widening and narrowing.
#include <stdio.h>

#define N 96

struct point { float x, y, z; };

int main(void) {
    static double a[N], b[N], c[N];
    static float f[N];
    static struct point p[N];
    static int index[N];
    for (int i = 0; i < N; i++) a[i] = i / 7.0, index[i] = i * 29 % N, p[i] = (struct point){i / 3.0f, i / 5.0f, i / 11.0f};
    volatile int n = N;
    for (int i = 0; i < n; i++) b[i] = a[index[i]] * 1.1 + a[i];
    for (int i = 0; i < n; i++) c[index[i]] = b[i] / 3;
    for (int i = 0; i < n / 2; i++) b[2 * i] = a[2 * i + 1] - c[n - 1 - i];
    for (int i = 0; i < n; i++) f[i] = (float)(b[i] + c[i]);
    for (int i = 0; i < n; i++) p[i].y = p[i].x * p[i].z + f[i], p[i].x = p[i].y - p[i].z;
    for (int i = 0; i < n; i++) a[i] += f[i];
    for (int i = 0; i < N; i++) printf("%a %a %a %a\n", a[i], b[i], c[i], (double)(p[i].x + p[i].y));
}
