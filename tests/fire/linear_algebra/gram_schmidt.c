// Orthogonalizing nearly dependent columns: the small component is lost in the projection.
#include <stdio.h>

typedef struct { double v[4]; } vec;

__attribute__((noinline)) static double dot(const vec *a, const vec *b) {
    return a->v[0] * b->v[0] + a->v[1] * b->v[1] + a->v[2] * b->v[2] + a->v[3] * b->v[3];
}

__attribute__((noinline)) static vec minus(const vec *a, double f, const vec *b) {
    vec r;
    for (int i = 0; i < 4; i++) r.v[i] = a->v[i] - f * b->v[i]; //~ precision-loss: 52..53 bits lost @store
    return r;
}

int main(void) {
    volatile double in = 1e-9;
    double e = in;
    vec a = {{1, e, 0, 0}}, b = {{1, 0, e, 0}}, c = {{1, 0, 0, e}};
    vec q2 = minus(&b, dot(&a, &b) / dot(&a, &a), &a);
    vec q3 = minus(&c, dot(&a, &c) / dot(&a, &a), &a);
    printf("%g %g %g\n", q2.v[0], q3.v[0], dot(&q2, &q3));
}
