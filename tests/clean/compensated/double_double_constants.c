// Double-doubles from constants that have low words of their own, handed through functions and compared: a low word is
// partly what the constant says and partly what additions lost, and right as it is.
#include <math.h>
#include <stdio.h>

typedef struct {
    double hi, lo;
} dd;

__attribute__((noinline)) static dd two_sum(double a, double b) {
    double s = a + b, aa = s - b, bb = s - aa, da = a - aa, db = b - bb;
    return (dd){s, da + db};
}

__attribute__((noinline)) static dd fast_two_sum(double a, double b) {
    double s = a + b, z = s - a;
    return (dd){s, b - z};
}

__attribute__((noinline)) static dd two_prod(double a, double b) {
    double p = a * b;
    return (dd){p, fma(a, b, -p)};
}

__attribute__((noinline)) static dd add(dd x, dd y) {
    dd s = two_sum(x.hi, y.hi), t = two_sum(x.lo, y.lo);
    dd v = fast_two_sum(s.hi, s.lo + t.hi);
    return fast_two_sum(v.hi, t.lo + v.lo);
}

__attribute__((noinline)) static dd times(dd x, double y) {
    dd p = two_prod(x.hi, y);
    return fast_two_sum(p.hi, fma(x.lo, y, p.lo));
}

__attribute__((noinline)) static dd over(dd x, double y) {
    double q = x.hi / y;
    dd p = two_prod(q, y);
    double d = (x.hi - p.hi - p.lo) + x.lo;
    return fast_two_sum(q, d / y);
}

__attribute__((noinline)) static int is_exact(dd x) { return x.lo == 0.0; }

int main(void) {
    // 1/3, 1/7, 1/11 and 1/13.
    dd c[] = {{0x1.5555555555555p-2, 0x1.5555555555555p-56},
              {0x1.2492492492492p-3, 0x1.2492492492492p-57},
              {0x1.745d1745d1746p-4, -0x1.745d1745d1746p-59},
              {0x1.3b13b13b13b14p-4, -0x1.3b13b13b13b14p-58}};
    volatile double start = 0.7;
    int exact = 0, below = 0;
    dd sum = {0, 0};
    for (int k = 0; k < 100; k++) {
        double x = start + k * 0.0078125;
        dd r = c[3];
        for (int i = 2; i >= 0; i--)
            r = add(times(r, x), c[i]);
        r = over(r, 3.0);
        exact += is_exact(r);
        below += r.lo < c[0].lo;
        sum = add(sum, r);
    }
    printf("%.15g %d %d\n", sum.hi, exact, below);
}
