// Conversions between all integer and floating types, rounding included.
#include <stdint.h>
#include <stdio.h>

static volatile int64_t is[] = {0, 1, -1, 123456789, 9007199254740993, -9007199254740995, INT64_MAX, INT64_MIN};
static volatile uint64_t us[] = {0, 1, 0x8000000000000400, UINT64_MAX, 16777217, 0xfffffffffffffbff};
static volatile double ds[] = {0.5, -0.5, 1.999999, -2.5, 2147483647.5, 4e9, 9e15, 65504.5, 65535.9, 1e-40};

int main(void) {
    for (int i = 0; i < 8; i++)
        printf("%a %a %La %a\n", (double)is[i], (double)(float)is[i], (long double)is[i], (double)(int)is[i]);
    for (int i = 0; i < 6; i++)
        printf("%a %a %La %a\n", (double)us[i], (double)(float)us[i], (long double)us[i], (double)(unsigned)us[i]);
    for (int i = 0; i < 10; i++) {
        double d = ds[i];
        printf("%ld %a %a %La\n", (long)d, (double)(float)d, (double)(_Float16)(d / 65536), (long double)d);
        if (d < 2e9) printf("%d %d\n", (int)d, (short)(d / 65536));
        if (d >= 0) printf("%lu %u\n", (unsigned long)d, d < 4.2e9 ? (unsigned)d : 0);
    }
}
