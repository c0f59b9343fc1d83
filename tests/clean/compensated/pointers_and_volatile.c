// Compensated arithmetic through pointers, and with variables that are volatile so that no compiler simplifies it.
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static void two_sum(const double *a, const double *b, double *sum, double *low) {
    *sum = *a + *b;
    double z = *sum - *a;
    *low = (*a - (*sum - z)) + (*b - z);
}
__attribute__((noinline)) static void two_product(const double *a, const double *b, double *p, double *low) {
    double c = 134217729.0 * *a, ah = c - (c - *a), al = *a - ah;
    double d = 134217729.0 * *b, bh = d - (d - *b), bl = *b - bh;
    *p = *a * *b;
    *low = ((ah * bh - *p) + ah * bl + al * bh) + al * bl;
}
__attribute__((noinline)) static int is_exact_sum(double a, double b) {
    volatile double s = a + b;
    volatile double bv = s - a, av = s - bv;
    volatile double low = (a - av) + (b - bv);
    return low == 0;
}

int main(void) {
    volatile double in[] = {0.1, 0.3, 1e8};
    int inexact = 0, exact = 0;
    double total = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double a = in[i], b = in[j], s, sl, p, pl;
            two_sum(&a, &b, &s, &sl);
            two_product(&a, &b, &p, &pl);
            inexact += (sl != 0) + (pl != 0);
            exact += is_exact_sum(a, b);
            total += sl == 0 ? p : p + pl;
        }
    printf("%d %d %.17g\n", inexact, exact, total);
}
