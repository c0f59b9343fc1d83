// Shewchuk's expansions: numbers that are the sum of several doubles, exactly, in arrays. Zeros are left out.
#include <stdio.h>

static void two_sum(double a, double b, double *x, double *y) {
    *x = a + b;
    double bv = *x - a, av = *x - bv;
    *y = (a - av) + (b - bv);
}
static void split(double a, double *high, double *low) {
    double c = 134217729.0 * a, big = c - a;
    *high = c - big;
    *low = a - *high;
}
static void two_product(double a, double b, double *x, double *y) {
    double ah, al, bh, bl;
    *x = a * b;
    split(a, &ah, &al);
    split(b, &bh, &bl);
    double e1 = *x - ah * bh, e2 = e1 - al * bh, e3 = e2 - ah * bl;
    *y = al * bl - e3;
}
static int grow(int n, const double *e, double b, double *h) {
    double q = b, low;
    int count = 0;
    for (int i = 0; i < n; i++) {
        two_sum(q, e[i], &q, &low);
        if (low != 0.0) h[count++] = low;
    }
    if (q != 0.0 || count == 0) h[count++] = q;
    return count;
}
static int scale(int n, const double *e, double b, double *h) {
    double q, low, high, product, sum;
    int count = 0;
    two_product(e[0], b, &q, &low);
    if (low != 0) h[count++] = low;
    for (int i = 1; i < n; i++) {
        two_product(e[i], b, &high, &product);
        two_sum(q, product, &sum, &low);
        if (low != 0) h[count++] = low;
        two_sum(high, sum, &q, &low);
        if (low != 0) h[count++] = low;
    }
    if (q != 0.0 || count == 0) h[count++] = q;
    return count;
}

int main(void) {
    volatile double in[] = {0.1, 1e17, -0.3, 7e-20, -1e17, 0.2};
    double e[64] = {0}, f[64], g[128];
    int n = 1;
    for (int i = 0; i < 6; i++) {
        n = grow(n, e, in[i], f);
        for (int k = 0; k < n; k++) e[k] = f[k];
    }
    int m = scale(n, e, in[0] * 3, g);
    double sum = 0;
    for (int i = 0; i < m; i++) sum += g[i];
    printf("%d %d %.17g %d\n", n, m, sum, g[m - 1] > 0);
}
