// __float128: 113 bits, and still the same cancellation.
#include <stdio.h>

__float128 rest(__float128 big, __float128 small) { return (big + small) - big; } //~ precision-loss: 111..113 bits lost [O0]
//~^ precision-loss: 52..53 bits lost [O2,O3]

int main(void) {
    volatile __float128 big = 0x1p120, small = 3, tiny = 0x1p60;
    printf("%g\n", (double)rest(big, small));
    printf("%g\n", (double)rest(tiny, small));
}
