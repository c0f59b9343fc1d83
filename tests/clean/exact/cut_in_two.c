// A number is cut in two by adding and taking away a power of two: the integer made of the low part is what is left of it, as in generators of
// random numbers that carry their luxury bits there.
#include <stdio.h>

__attribute__((noinline)) static int low_part(double x) {
    double high = (x + 0x1p28) - 0x1p28;
    double low = x - high;
    return (int)(low * 0x1p50);
}

int main(void) {
    volatile double start = 0.7123456789;
    int sum = 0;
    for (int i = 1; i < 50; i++)
        sum ^= low_part(start * i);
    printf("%d\n", sum);
}
