// The same decisions as in fire/decisions/asked_for.c, none of which the program asks for: the optimizer computes them
// and throws them away.
// nonius: opt=O0,O1,O2,O3,O3-native
#include <math.h>
#include <stdio.h>

#define NI __attribute__((noinline))

NI static int sign_if_infinite(double x) {
    if (isinf(x)) return x > 0 ? 1 : -1;
    return 0;
}
NI static int whole(double x, int asked) {
    int n = 0;
    if (asked) n = (int)x;
    return n;
}
NI static int next(double x, int asked) {
    if (asked) return (int)x + 1;
    return 7;
}
NI static double below(double x, int asked) {
    if (asked) return floor(x) + 1;
    return 7;
}
NI static int nested(double x, int asked, int too) {
    if (asked) {
        if (too) return x < 1 ? 5 : 6;
        return 9;
    }
    return 3;
}
NI static int joined(double x, double y, int asked) {
    if (asked && x < 1 && y > 2) return 5;
    return 3;
}
NI static int signs(double x, int asked) {
    if (asked) return (x > 1) - (x < 1);
    return 9;
}
NI static void each(const double *x, const int *asked, int *n, int count) {
    for (int i = 0; i < count; i++) n[i] = asked[i] ? (int)x[i] : 0;
}

int main(void) {
    volatile double one = 1, part = 49;
    volatile int asked = 0;
    double nearly = (one / part) * part;         // 0.9999999999999999, ideally 1
    printf("%d\n", sign_if_infinite(1 - nearly)); // all error, and not infinite
    printf("%d %d %g\n", whole(nearly, asked), next(nearly, asked), below(nearly, asked));
    printf("%d %d %d\n", nested(nearly, asked, 1), nested(nearly, 1, asked), nested(nearly, asked, asked));
    printf("%d %d\n", joined(nearly, 3, asked), signs(nearly, asked));
    double x[16];
    int may[16], n[16], sum = 0;
    for (int i = 0; i < 16; i++) {
        x[i] = (i + one) / part * part;
        may[i] = asked;
    }
    each(x, may, n, 16);
    for (int i = 0; i < 16; i++) sum += n[i];
    printf("%d\n", sum);
}
