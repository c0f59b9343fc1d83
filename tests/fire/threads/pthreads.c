// nonius: flags=-pthread
// Each thread has its own shadows; what one computed, another reads from memory.
#include <pthread.h>
#include <stdio.h>

static double sums[4];

static void *produce(void *argument) {
    double *slot = argument;
    volatile double big = 1e17, small = 3;
    *slot = big + small;
    return slot;
}

static void *consume(void *argument) {
    volatile double big = 1e17;
    double rest = *(double *)argument - big; //~ precision-loss: 52..53 bits lost
    printf("%g\n", rest);
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, produce, &sums[i]);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, consume, &sums[i]);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}
