// Two threads, each with a difference of roots that cancels and one that does not.
#include <math.h>
#include <pthread.h>
#include <stdio.h>

struct work {
    double x, bad, good;
};

static void *compute(void *data)
{
    struct work *work = data;
    work->bad = sqrt(work->x + 1) - sqrt(work->x);
    work->good = 1 / (sqrt(work->x + 1) + sqrt(work->x));
    return NULL;
}

int main(void)
{
    struct work works[2] = {{.x = 1e14}, {.x = 3e15}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, compute, &works[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%g %g\n", works[0].bad, works[1].bad);
    printf("%g %g\n", works[0].good, works[1].good);
}
