// nonius: flags=-pthread
// Threads with their own stacks and thread-locals, joined in order; results through memory.
#include <math.h>
#include <pthread.h>
#include <stdio.h>

static double results[8];
static _Thread_local double seed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double total;

static void *work(void *argument) {
    long k = (long)argument;
    seed = 0.1 * (double)(k + 1);
    for (int i = 0; i < 1000; i++) seed = 3.7 * seed * (1 - seed) * (1 - 1e-3 * (double)k);
    results[k] = seed + sqrt((double)k);
    pthread_mutex_lock(&lock);
    total += (double)(k * k);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t threads[8];
    for (long k = 0; k < 8; k++) pthread_create(&threads[k], NULL, work, (void *)k);
    for (int k = 0; k < 8; k++) pthread_join(threads[k], NULL), printf("%a\n", results[k]);
    printf("%a\n", total);
}
