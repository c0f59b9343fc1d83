// Doubles that hold integers: factorials, binomials and sums that stay below 2^53.
#include <stdio.h>

int main(void) {
    volatile int n = 18;
    double factorial = 1, sum = 0, choose = 1, alternating = 0;
    for (int i = 1; i <= n; i++) factorial *= i;
    for (int i = 0; i < 100000; i++) sum += i;
    for (int i = 1; i <= 20; i++) choose = choose * (41 - i) / i;
    for (int i = 0; i < 1000; i++) alternating += i % 2 ? -1e15 + i : 1e15 + i;
    printf("%.0f %.0f %.0f %.0f %d\n", factorial, sum, choose, alternating, (int)(sum / 100000));
}
