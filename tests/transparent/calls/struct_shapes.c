// Structs of many shapes by value: in registers, split, in memory, nested, with padding.
#include <stdio.h>

struct f1 { float a; }; struct f2 { float a, b; }; struct f3 { float a, b, c; }; struct f4 { float v[4]; };
struct d1 { double a; }; struct d2 { double a, b; }; struct d3 { double a, b, c; };
struct fi { float f; int i; }; struct di { double d; int i; }; struct ifd { int i; float f; double d; };
struct cf { char c; float f; }; struct nest { struct f2 p; struct { double q; } r; }; struct ld { long double l; };
struct big { double v[20]; int n; }; struct fd { float f; double d; }; struct empty { int none[0]; };

#define PASS(type) __attribute__((noinline)) static struct type pass_##type(int k, struct type s, double x) { \
    (void)k; (void)x; return s; }
PASS(f1) PASS(f2) PASS(f3) PASS(f4) PASS(d1) PASS(d2) PASS(d3) PASS(fi) PASS(di) PASS(ifd) PASS(cf) PASS(nest) PASS(ld)
PASS(big) PASS(fd)

int main(void) {
    volatile double in = 0.1;
    double x = in; float y = (float)in;
    struct f3 f3 = pass_f3(1, (struct f3){y, y * 2, y * 3}, x);
    struct f4 f4 = pass_f4(1, (struct f4){{y, y / 2, y / 3, y / 4}}, x);
    struct d3 d3 = pass_d3(1, (struct d3){x, x * 2, x * 3}, x);
    struct nest nest = pass_nest(1, (struct nest){{y, 1}, {x}}, x);
    struct big big = pass_big(1, (struct big){{x, x * 2, [19] = x / 7}, 3}, x);
    printf("%a %a\n", (double)pass_f1(1, (struct f1){y}, x).a, (double)pass_f2(1, (struct f2){y, y + 1}, x).b);
    printf("%a %a %a\n", (double)(f3.a + f3.c), (double)f4.v[3], d3.a - d3.c);
    printf("%a %a\n", pass_d1(1, (struct d1){x}, x).a, pass_d2(1, (struct d2){x, x + 1}, x).b);
    printf("%a %d %a\n", (double)pass_fi(1, (struct fi){y, 7}, x).f, pass_di(1, (struct di){x, 8}, x).i, pass_ifd(1, (struct ifd){1, y, x}, x).d);
    printf("%a %a %a %La\n", (double)pass_cf(1, (struct cf){'x', y}, x).f, nest.r.q, (double)nest.p.a, pass_ld(1, (struct ld){x}, x).l);
    printf("%a %d %a\n", big.v[19], big.n, pass_fd(1, (struct fd){y, x}, x).d);
}
