// A double copied through a 64-bit integer, a float through a 32-bit one, and a union's other member.
#include <stdint.h>
#include <stdio.h>

union bits { double d; uint64_t u; };

__attribute__((noinline)) void copy64(uint64_t *to, const uint64_t *from) { *to = *from; }
__attribute__((noinline)) void copy32(uint32_t *to, const uint32_t *from) { *to = *from; }

int main(void) {
    volatile double big = 1e17, small = 3;
    volatile float big_f = 1e9f, small_f = 3;
    union bits a = {big + small}, b;
    float fa = big_f + small_f, fb;
    copy64(&b.u, &a.u);
    copy32((uint32_t *)&fb, (const uint32_t *)&fa);
    printf("%g\n", b.d - big);             //~ precision-loss: 52..53 bits lost
    printf("%g\n", (double)(fb - big_f));  //~ precision-loss: 23..24 bits lost
}
