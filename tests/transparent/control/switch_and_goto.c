// Irregular control flow: computed goto, Duff's device, loops with many exits, nested conditions.
#include <stdio.h>

__attribute__((noinline)) static double machine(const unsigned char *code, double x) {
    static void *const labels[] = {&&add, &&mul, &&sub, &&end, &&loop};
    double stack = 0.1;
    int n = 0;
    goto *labels[*code++];
add: x += stack; goto *labels[*code++];
mul: x *= 1.1; stack = x / 3; goto *labels[*code++];
sub: x -= stack * 2; goto *labels[*code++];
loop: while (n++ < 50) { if (x > 1e3) break; if (x < -1e3) goto end; x = x * 1.7 - stack; if (n % 7 == 3) continue; stack += 0.01; }
    goto *labels[*code++];
end: return x - stack;
}
__attribute__((noinline)) static void copy(double *to, const double *from, int n) {
    switch (n % 4) {
    case 0: while (n > 0) { *to++ = *from++ * 2;
    case 3: *to++ = *from++ / 3;
    case 2: *to++ = *from++ - 1;
    case 1: *to++ = *from++; n -= 4; }
    }
}

int main(void) {
    volatile double in = 0.7;
    printf("%a\n", machine((const unsigned char[]){0, 1, 2, 4, 1, 0, 3}, in));
    printf("%a\n", machine((const unsigned char[]){1, 4, 4, 2, 3}, -in));
    double a[13], b[13] = {0};
    for (int i = 0; i < 13; i++) a[i] = in * i;
    copy(b, a, 11);
    for (int i = 0; i < 13; i++) printf("%a\n", b[i]);
}
