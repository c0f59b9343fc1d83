// Windows: what is put and what is fetched brings its shadow, a fence between.
// ranks: 2 3
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double memory[2] = {made(0), 0}, got = 0, sent = made(1);
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Get(&got, 1, MPI_DOUBLE, next, 0, 1, MPI_DOUBLE, window);
    MPI_Put(&sent, 1, MPI_DOUBLE, next, 1, 1, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    printf("%d %g\n", rank, got - large);           //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, memory[1] - 2 * large); //~ precision-loss: 52..53 bits lost
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
