// memcpy, memmove, memset, realloc, struct copies and type punning, summed up bit by bit.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash = 14695981039346656037u;
static void add(const void *data, size_t n) {
    for (size_t i = 0; i < n; i++) hash = (hash ^ ((const unsigned char *)data)[i]) * 1099511628211u;
}
struct record { char name[3]; float f; double d[5]; long double l; short s; };

int main(void) {
    volatile double in = 0.1;
    double *a = calloc(40, sizeof *a);
    for (int i = 0; i < 40; i++) a[i] = in * i / 3;
    memmove(a + 3, a, 20 * sizeof *a);
    memmove(a, a + 11, 25 * sizeof *a);
    a = realloc(a, 100000 * sizeof *a);
    memset(a + 40, 0x41, 800);
    memcpy((char *)a + 3, (char *)a + 403, 77);
    add(a, 1000);
    struct record r[3];
    memset(r, 0, sizeof r);
    for (int i = 0; i < 3; i++) r[i].f = (float)in * (float)i, r[i].d[i] = a[i], r[i].l = in / (i + 1);
    r[0] = r[2];
    struct record s = r[0];
    add(&s.f, 4), add(s.d, 40), add(&s.l, 10);
    union { double d; uint64_t u; float f[2]; unsigned char c[8]; } u = {in};
    u.c[3] ^= 0x55, u.u += 77, u.f[1] *= 3;
    add(&u, 8);
    printf("%016lx\n", hash);
    free(a);
}
