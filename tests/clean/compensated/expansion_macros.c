// Shewchuk's expansions by his macros, in arrays, and the partial sums of Python's fsum.
#include <stdio.h>
#define Fast_Two_Sum_Tail(a, b, x, y) bvirt = x - a; y = b - bvirt
#define Fast_Two_Sum(a, b, x, y) x = (double)(a + b); Fast_Two_Sum_Tail(a, b, x, y)
#define Two_Sum_Tail(a, b, x, y) bvirt = (double)(x - a); avirt = x - bvirt; bround = b - bvirt; around = a - avirt; y = around + bround
#define Two_Sum(a, b, x, y) x = (double)(a + b); Two_Sum_Tail(a, b, x, y)
__attribute__((noinline)) static int fast_expansion_sum_zeroelim(int elen, double *e, int flen, double *f, double *h) {
    double Q, Qnew, hh, bvirt, avirt, bround, around, enow = e[0], fnow = f[0];
    int eindex = 0, findex = 0, hindex = 0;
    if ((fnow > enow) == (fnow > -enow)) { Q = enow; enow = e[++eindex]; } else { Q = fnow; fnow = f[++findex]; }
    if ((eindex < elen) && (findex < flen)) {
        if ((fnow > enow) == (fnow > -enow)) { Fast_Two_Sum(enow, Q, Qnew, hh); enow = e[++eindex]; }
        else { Fast_Two_Sum(fnow, Q, Qnew, hh); fnow = f[++findex]; }
        Q = Qnew;
        if (hh != 0.0) h[hindex++] = hh;
        while ((eindex < elen) && (findex < flen)) {
            if ((fnow > enow) == (fnow > -enow)) { Two_Sum(Q, enow, Qnew, hh); enow = e[++eindex]; }
            else { Two_Sum(Q, fnow, Qnew, hh); fnow = f[++findex]; }
            Q = Qnew;
            if (hh != 0.0) h[hindex++] = hh;
        }
    }
    while (eindex < elen) { Two_Sum(Q, enow, Qnew, hh); enow = e[++eindex]; Q = Qnew; if (hh != 0.0) h[hindex++] = hh; }
    while (findex < flen) { Two_Sum(Q, fnow, Qnew, hh); fnow = f[++findex]; Q = Qnew; if (hh != 0.0) h[hindex++] = hh; }
    if ((Q != 0.0) || (hindex == 0)) h[hindex++] = Q;
    return hindex;
}
__attribute__((noinline)) static int grow_expansion(int elen, double *e, double b, double *h) {
    double Q = b, Qnew, enow, bvirt, avirt, bround, around;
    int i;
    for (i = 0; i < elen; i++) { enow = e[i]; Two_Sum(Q, enow, Qnew, h[i]); Q = Qnew; }
    h[i] = Q;
    return i + 1;
}
// The state is in arrays: partials (Python's fsum)
__attribute__((noinline)) static int fsum_add(double *p, int n, double x) {
    int i = 0;
    for (int j = 0; j < n; j++) {
        double y = p[j];
        if ((x < 0 ? -x : x) < (y < 0 ? -y : y)) { double t = x; x = y; y = t; }
        double hi = x + y, lo = y - (hi - x);
        if (lo != 0.0) p[i++] = lo;
        x = hi;
    }
    p[i] = x;
    return i + 1;
}
int main(void) {
    volatile double in[] = {0.1, 1e17, -0.3, 7e-20, -1e17, 0.2, 1e-30, 3e9 / 7};
    double e[64] = {0}, f[64] = {0}, h[128] = {0}, g[64], p[64];
    int n = 1, m = 1, k = 0;
    for (int i = 0; i < 8; i++) {
        n = grow_expansion(n, e, in[i], g);
        for (int j = 0; j < n; j++) e[j] = g[j];
        double one[2] = {in[i] * 4, 0}, r[64] = {0};
        m = fast_expansion_sum_zeroelim(m, f, 1, one, r);
        for (int j = 0; j < m; j++) f[j] = r[j];
        f[m] = 0;
        k = fsum_add(p, k, in[i]);
    }
    e[n] = 0;
    int q = fast_expansion_sum_zeroelim(n, e, m, f, h);
    double s = 0, t = 0;
    for (int i = 0; i < q; i++) s += h[i];
    for (int i = 0; i < k; i++) t += p[i];
    printf("%d %d %d %.17g %.17g %d\n", n, m, q, s, t, h[0] > 0);
}
