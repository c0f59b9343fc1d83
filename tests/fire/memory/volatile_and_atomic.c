// Volatile and atomic doubles keep their errors; an atomic addition makes one.
#include <stdatomic.h>
#include <stdio.h>

static volatile double v;
static _Atomic double a, sum;
static _Atomic float f;

int main(void) {
    volatile double big = 1e17, small = 3;
    v = big + small;
    atomic_store(&a, big + small);
    double taken = atomic_exchange(&a, 0);
    sum = big;
    sum += small;
    f = (float)small;
    printf("%g\n", v - big);     //~ precision-loss: 52..53 bits lost
    printf("%g\n", taken - big); //~ precision-loss: 52..53 bits lost
    printf("%g\n", sum - big);   //~ precision-loss: 52..53 bits lost
    printf("%g\n", (double)f);
}
