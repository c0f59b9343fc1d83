// A program of three objects that the linker makes one: one of them was compiled by plain clang, and under
// contraction a product of one file meets a sum of another.
// nonius: opt=O0-lto,O2-lto,O3-lto,O0-thin,O1-thin,O2-thin object=part.c raw=raw.c flags="-ffp-contract=fast -mfma"
#include <stdio.h>

double product(double a, double b);
double product_unseen(double a, double b);
double norm(const double *x, int n);
extern double table[4];

int main(void) {
    volatile double seed = 0.1;
    double a = seed, x[40];
    for (int i = 0; i < 40; i++) x[i] = product(a, i) + a * a;
    printf("%a %a %a\n", product(a, a) - 0.01, product_unseen(a, a) - 0.01, norm(x, 40));
    for (int i = 0; i < 4; i++) printf("%a\n", table[i] = product(table[i], a) + product_unseen(a, 3));
    return 0;
}
