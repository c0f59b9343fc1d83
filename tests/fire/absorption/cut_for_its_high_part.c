// Adding and taking away a power of two leaves the high part of a number. Where the low part is used beside it, the number was cut in
// two on purpose; where it is not, digits are lost.
#include <stdio.h>

__attribute__((noinline)) static double high(double x) {
    double shifted = x + 0x1p40;
    return shifted - 0x1p40; //~ precision-loss: 33..53 bits lost @return
}

__attribute__((noinline)) static double both(double x) {
    double shifted = x + 0x1p40, high = shifted - 0x1p40, low = x - high;
    return high * high + (2 * high * low + low * low);
}

int main(void) {
    volatile double x = 1.0001;
    printf("%.15g\n%.15g\n", high(x), both(x));
}
