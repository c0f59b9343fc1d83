// MPI_THREAD_MULTIPLE: four threads of each rank exchange at once, each with its own tag.
// ranks: 2
// several processes: threads share the rank that they belong to.
#include "common.h"
#include <pthread.h>

#define begin(argc, argv)                                                   \
    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);            \
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);                                   \
    MPI_Comm_size(MPI_COMM_WORLD, &size);                                   \
    next = (rank + 1) % size, previous = (rank + size - 1) % size;

static int provided;
static double got[4];

static void *exchange(void *argument) {
    int tag = (int)(long)argument;
    double sent = tag % 2 ? made(0) : large;
    for (int i = 0; i < 50; i++)
        MPI_Sendrecv(&sent, 1, MPI_DOUBLE, next, tag, &got[tag], 1, MPI_DOUBLE, previous, tag, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    pthread_t threads[4];
    for (long i = 0; i < 4; i++) pthread_create(&threads[i], NULL, exchange, (void *)i);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    printf("%d %g %g\n", rank, got[0] - large, got[2] - large);
    printf("%d %g\n", rank, got[1] - large); //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, got[3] - large); //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
