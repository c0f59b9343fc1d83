// Dekker's product and Knuth's sum through pointers, in one function and in several; words in structs.
#include <stdio.h>
typedef struct { double hi, lo; } dd;
static void split(double a, double *hi, double *lo) { double t = 134217729.0 * a; *hi = t - (t - a); *lo = a - *hi; }
static void two_prod(double a, double b, double *hi, double *lo) {
    double ah, al, bh, bl;
    *hi = a * b;
    split(a, &ah, &al);
    split(b, &bh, &bl);
    *lo = ((ah * bh - *hi) + ah * bl + al * bh) + al * bl;
}
static void two_sum(double a, double b, double *s, double *e) { *s = a + b; double z = *s - a; *e = (a - (*s - z)) + (b - z); }
static void quick(double a, double b, double *s, double *e) { *s = a + b; *e = b - (*s - a); }
static double prod_err(double a, double b, double p) { double ah, al, bh, bl; split(a, &ah, &al); split(b, &bh, &bl); return al * bl - (((p - ah * bh) - al * bh) - ah * bl); }
static void sum_err(double a, double b, double s, double *e) { double z = s - a; *e = (a - (s - z)) + (b - z); }
static void prod_err_to(const double *a, const double *b, const double *p, double *e) { *e = prod_err(*a, *b, *p); }
static dd mul(dd a, dd b) { dd r; double p, e; two_prod(a.hi, b.hi, &p, &e); e += a.hi * b.lo + a.lo * b.hi; quick(p, e, &r.hi, &r.lo); return r; }
static void mul_to(const dd *a, const dd *b, dd *r) { double p, e; two_prod(a->hi, b->hi, &p, &e); e += a->hi * b->lo + a->lo * b->hi; quick(p, e, &r->hi, &r->lo); }
static dd add(dd a, dd b) { dd r; double s, e, t, f; two_sum(a.hi, b.hi, &s, &e); two_sum(a.lo, b.lo, &t, &f); e += t; quick(s, e, &s, &e); e += f; quick(s, e, &r.hi, &r.lo); return r; }
struct work { double x, y, p, e; double tail[4]; };
static void fill(struct work *w) { w->p = w->x * w->y; prod_err_to(&w->x, &w->y, &w->p, &w->e); w->tail[1] = w->x + w->y; sum_err(w->x, w->y, w->tail[1], &w->tail[2]); }
int main(void) {
    volatile double in[] = {0.1, 0.3, 1e8 / 3, 7.77};
    int n = 0;
    double total = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double p, e, s, f;
            two_prod(in[i], in[j], &p, &e);
            two_sum(in[i], in[j], &s, &f);
            n += (e > 0) + 2 * (f == 0);
            double g = prod_err(in[i], in[j], p);
            n += g < 0;
            dd a = {in[i], 0}, b = {in[j], 0}, c = mul(a, b), d = add(c, a), m;
            mul_to(&d, &b, &m);
            n += (c.lo > 0) + (d.lo < c.lo) + (m.lo == 0);
            struct work w = {in[i], in[j]};
            fill(&w);
            n += (w.e > 0) + (w.tail[2] < 0);
            total += m.hi + w.p;
        }
    printf("%d %.17g\n", n, total);
}
