// Windows that are locked: a target that calls nothing, memory of the library's, requests, and columns of a matrix.
// ranks: 2 3
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double *memory, got = 0, column[2] = {0, 0}, sent = made(0);
    MPI_Win window;
    MPI_Request request;
    MPI_Datatype stride;
    MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &stride);
    MPI_Type_commit(&stride);
    MPI_Win_allocate(4 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
    for (int i = 0; i < 4; i++) memory[i] = made(i);
    MPI_Win_unlock(rank, window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, window);
    MPI_Get(column, 2, MPI_DOUBLE, next, 1, 1, stride, window);
    MPI_Win_unlock(next, window);
    printf("%d %g\n", rank, column[0] - 2 * large); //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, column[1] - 8 * large); //~ precision-loss: 52..53 bits lost
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    MPI_Rput(&sent, 1, MPI_DOUBLE, next, 3, 1, MPI_DOUBLE, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sent = 0;
    MPI_Win_flush_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Rget(&got, 1, MPI_DOUBLE, next, 3, 1, MPI_DOUBLE, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(window);
    printf("%d %g\n", rank, got - large); //~ precision-loss: 52..53 bits lost
    MPI_Win_free(&window);
    MPI_Type_free(&stride);
    MPI_Finalize();
    return 0;
}
