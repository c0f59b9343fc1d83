// nonius: flags=-pthread
// Workers that never end take rows under a lock, and hand results back under another.
#include <pthread.h>
#include <stdio.h>

enum { ROWS = 200, WORKERS = 3 };

static pthread_mutex_t todo = PTHREAD_MUTEX_INITIALIZER, done = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, ready = PTHREAD_COND_INITIALIZER;
static int first, last, finished;
static double row[ROWS], total;

static void *work(void *ignored) {
    for (;;) {
        pthread_mutex_lock(&todo);
        while (first == last)
            pthread_cond_wait(&more, &todo);
        int mine = first++;
        double x = row[mine];
        pthread_mutex_unlock(&todo);
        x *= 0x1p-20;
        pthread_mutex_lock(&done);
        total += x;
        finished++;
        pthread_cond_signal(&ready);
        pthread_mutex_unlock(&done);
    }
    return ignored;
}

int main(void) {
    volatile double big = 1e17, small = 3;
    for (int i = 0; i < WORKERS; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, NULL))
            return 1;
    }
    for (int i = 0; i < ROWS; i++) {
        pthread_mutex_lock(&todo);
        row[i] = big + small * i;
        last++;
        pthread_cond_signal(&more);
        pthread_mutex_unlock(&todo);
    }
    pthread_mutex_lock(&done);
    while (finished < ROWS)
        pthread_cond_wait(&ready, &done);
    double rest = total - ROWS * big * 0x1p-20; //~ precision-loss: 42..53 bits lost
    pthread_mutex_unlock(&done);
    static volatile double kept;
    kept = rest;
    printf("%d\n", kept < 1);
    fflush(stdout);
}
