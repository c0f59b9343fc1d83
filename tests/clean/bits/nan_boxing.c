// Integers hidden in the payload of a NaN, beside ordinary numbers.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static double box(uint32_t value) {
    uint64_t bits = 0x7ff8ull << 48 | value;
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}
static uint32_t unbox(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return (uint32_t)bits;
}

int main(void) {
    volatile uint32_t n = 77;
    volatile double values[3] = {1.5, box(n), 2.5};
    for (int i = 0; i < 3; i++)
        if (values[i] != values[i])
            printf("int %u\n", unbox(values[i]));
        else
            printf("num %g\n", values[i]);
}
