// nonius: flags=-pthread
// Atomic floats: load, store, exchange, compare-exchange, additions from several threads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static _Atomic double d = 1.5;
static _Atomic float f = 0.25f;

static void *work(void *unused) {
    for (int i = 0; i < 1000; i++) {
        d += 0.5;
        f -= 0.25f;
        double old = atomic_load(&d);
        while (!atomic_compare_exchange_weak(&d, &old, old + 2)) {}
    }
    return unused;
}

int main(void) {
    volatile double in = 0.1;
    atomic_store(&d, in);
    printf("%a %a\n", atomic_exchange(&d, in * 3), atomic_load_explicit(&d, memory_order_relaxed));
    d *= 7, d /= 3, f = (float)d;
    printf("%a %a\n", d, (double)f);
    d = 0;
    f = 0;
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    printf("%a %a\n", d, (double)f);
}
