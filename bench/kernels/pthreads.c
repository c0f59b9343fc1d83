// Heat equation in two dimensions on POSIX threads: each thread has its rows, a barrier ends each step.
// bench: group=threads size=700x720 quick=350x470 flags=-pthread threads=2
#include "kernel.h"
#include <pthread.h>

struct work {
    pthread_t thread;
    pthread_barrier_t *barrier;
    REAL *now, *next;
    int n, reps, first, last;
};

HOT void step(int n, int first, int last, REAL next[restrict n][n], const REAL now[restrict n][n])
{
    for (int i = first; i < last; i++)
        for (int j = 1; j < n - 1; j++)
            next[i][j] = (REAL)0.5 * now[i][j]
                         + (REAL)0.125 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
}

static void *run(void *argument)
{
    struct work *w = argument;
    for (int rep = 0; rep < w->reps; rep++) {
        step(w->n, w->first, w->last, (void *)w->next, (void *)w->now);
        REAL *other = w->now;
        w->now = w->next;
        w->next = other;
        pthread_barrier_wait(w->barrier);
    }
    return NULL;
}

static void kernel(struct problem p)
{
    size_t count = (size_t)p.n * p.n;
    REAL *now = reals(count), *next = reals(count);
    struct work *works = allocate(p.threads, sizeof *works);
    pthread_barrier_t barrier;
    fill(now, count);
    memcpy(next, now, count * sizeof(REAL));
    pthread_barrier_init(&barrier, NULL, (unsigned)p.threads);
    for (int t = 0; t < p.threads; t++) {
        int rows = p.n - 2;
        works[t] = (struct work){.barrier = &barrier, .now = now, .next = next, .n = p.n, .reps = p.reps,
                                 .first = 1 + rows * t / p.threads, .last = 1 + rows * (t + 1) / p.threads};
        if (pthread_create(&works[t].thread, NULL, run, &works[t]) != 0) {
            fprintf(stderr, "cannot start a thread\n");
            exit(3);
        }
    }
    for (int t = 0; t < p.threads; t++)
        pthread_join(works[t].thread, NULL);
    digest(works[0].now, count);
    pthread_barrier_destroy(&barrier);
    free(now);
    free(next);
    free(works);
}
