// Unaligned floats in packed structs, bit-fields beside floats, flexible array members.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct __attribute__((packed)) packed { char a; double d; short b; float f; char c; long double l; };
struct fields { unsigned a : 3, b : 7; float f; int c : 5; double d; };
struct flexible { int n; double values[]; };

int main(void) {
    volatile double in = 0.1;
    struct packed p[3];
    memset(p, 0, sizeof p);
    for (int i = 0; i < 3; i++) p[i].d = in * i, p[i].f = (float)in / (float)(i + 1), p[i].l = in / 3, p[i].b = (short)i;
    struct packed q = p[2];
    printf("%a %a %La %d\n", q.d + p[1].d, (double)(q.f * p[0].f), q.l, q.b);
    struct fields s = {5, 100, (float)in, -7, in * 3};
    s.a += 2, s.f *= 3, s.d -= s.f;
    printf("%u %u %a %d %a\n", s.a, s.b, (double)s.f, s.c, s.d);
    struct flexible *x = malloc(sizeof *x + 10 * sizeof(double));
    x->n = 10;
    for (int i = 0; i < x->n; i++) x->values[i] = in * i * i;
    printf("%a\n", x->values[9] - x->values[7]);
    free(x);
}
