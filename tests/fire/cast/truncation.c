// (int) of a sum that should have reached the next integer.
#include <stdio.h>

int tenths(double a, double b) { return (int)((a + b) * 10); } //~ cast-flip
int rounded(double a, double b) { return (int)((a + b) * 10 + 0.5); }

int main(void) {
    volatile double a = 0.1, b = 0.7;
    printf("%d %d\n", tenths(a, b), rounded(a, b));
}
