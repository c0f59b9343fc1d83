// Inline assembly on SSE and x87 registers, with memory operands and clobbers.
#include <stdio.h>

__attribute__((noinline)) static double sse(double a, double b) {
    double r = a;
    __asm__("mulsd %1, %0\n\taddsd %1, %0" : "+x"(r) : "x"(b));
    return r - a;
}
__attribute__((noinline)) static long double x87(long double a) {
    __asm__("fsqrt" : "+t"(a));
    return a * 3;
}
__attribute__((noinline)) static void memory(double *p) {
    __asm__ volatile("movsd (%0), %%xmm7\n\taddsd %%xmm7, %%xmm7\n\tmovsd %%xmm7, 8(%0)" : : "r"(p) : "xmm7", "memory");
}

int main(void) {
    volatile double in = 0.1;
    double a[2] = {in / 3, 0}, kept = in * 7;
    memory(a);
    printf("%a %La %a %a\n", sse(in, in + 1), x87(in), a[1] + a[0], kept);
}
