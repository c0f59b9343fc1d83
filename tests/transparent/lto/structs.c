// Floats in structs of all sizes, by value and by result, through functions that only this file knows: link-time
// optimization rewrites their arguments.
// nonius: opt=O0-lto,O1-lto,O2-lto,O3-lto,O0-thin,O1-thin,O2-thin,O3-thin,O2-thin-gold
#include <stdarg.h>
#include <stdio.h>

#define KEPT static __attribute__((noinline))

struct Pair { double a, b; };
struct Triple { double a, b, c; };
struct Mixed { float f; int n; double d; };
struct Large { double x[12]; float y[7]; };
typedef double Four __attribute__((vector_size(32)));

KEPT struct Triple pass(struct Triple s) { s.a += 1; return s; }
KEPT struct Pair swap(struct Pair p) { return (struct Pair){p.b * 0.5, p.a / 3}; }
KEPT struct Mixed mix(struct Mixed m, float f) { m.f += f; m.n++; m.d *= m.f; return m; }
KEPT struct Large shift(struct Large l, int by) {
    struct Large r;
    for (int i = 0; i < 12; i++) r.x[i] = l.x[(i + by) % 12] * 1.1;
    for (int i = 0; i < 7; i++) r.y[i] = l.y[(i + by) % 7] - 0.1f;
    return r;
}
KEPT double first(const struct Large *l) { return l->x[0] + l->y[0]; }
KEPT void fill(struct Triple *restrict to, const struct Triple *restrict from) { *to = *from; to->c = from->a / 7; }
KEPT Four turn(Four v, double by) { return v * by + (Four){0.1, 0.2, 0.3, 0.4}; }
KEPT double sum(int n, ...) {
    va_list list;
    double s = 0;
    va_start(list, n);
    while (n--) s += va_arg(list, double);
    va_end(list);
    return s;
}

int main(void) {
    volatile double seed = 1;
    double c = seed;
    struct Triple t = pass((struct Triple){c, c * 0.7, c}), u;
    fill(&u, &t);
    printf("%.17g %.17g %.17g, %.17g\n", t.a, t.b, t.c, u.c);
    struct Pair p = swap(swap((struct Pair){c / 3, c * 0.3}));
    printf("%.17g %.17g\n", p.a, p.b);
    struct Mixed m = mix((struct Mixed){(float)c * 0.1f, 3, c * 0.9}, 0.7f);
    printf("%.9g %d %.17g\n", m.f, m.n, m.d);
    struct Large l = {{c, c * 0.1}, {0.3f, (float)c}};
    for (int i = 0; i < 5; i++) l = shift(l, i);
    printf("%.17g %.17g %.9g\n", first(&l), l.x[7], l.y[3]);
    Four v = turn(turn((Four){c, c * 0.2, c * 0.3, c * 0.4}, 1.1), 0.9);
    printf("%.17g %.17g %.17g %.17g\n", v[0], v[1], v[2], v[3]);
    printf("%.17g\n", sum(4, c * 0.1, c * 0.2, c * 0.3, p.a));
    return 0;
}
