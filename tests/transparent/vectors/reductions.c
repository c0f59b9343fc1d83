// Sums, products, minima and dot products: reassociated only where the flags allow it.
#include <math.h>
#include <stdio.h>

#define N 517

static double a[N];
static float f[N];

__attribute__((noinline)) static double sum(int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
__attribute__((noinline)) static float sum_float(int n) { float s = 0; for (int i = 0; i < n; i++) s += f[i] * f[i]; return s; }
__attribute__((noinline)) static double product(int n) { double p = 1; for (int i = 0; i < n; i++) p *= 1 + a[i] / 1000; return p; }
__attribute__((noinline)) static double dot(int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i] * f[i]; return s; }
__attribute__((noinline)) static double least(int n) { double m = a[0]; for (int i = 1; i < n; i++) m = a[i] < m ? a[i] : m; return m; }
__attribute__((noinline)) static float most(int n) { float m = f[0]; for (int i = 1; i < n; i++) m = fmaxf(m, f[i]); return m; }
__attribute__((noinline)) static double norm(int n) { double s = 0; for (int i = 0; i < n; i++) s += fabs(a[i]); return sqrt(s); }

int main(void) {
    for (int i = 0; i < N; i++) a[i] = sin(i) * 3, f[i] = (float)(i % 23) / 7;
    for (volatile int n = N - 5; n <= N; n++) {
        printf("%a %a %a %a\n", sum(n), (double)sum_float(n), product(n), dot(n));
        printf("%a %a %a\n", least(n), (double)most(n), norm(n));
    }
}
