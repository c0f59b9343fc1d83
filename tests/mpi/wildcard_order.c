// A receive of any source stands before one of a certain source, and is completed after it.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent[2] = {ldexp(large, 1), made(0)}, any, certain;
    MPI_Request requests[2];
    MPI_Irecv(&any, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&certain, 1, MPI_DOUBLE, previous, 7, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 2; i++) MPI_Send(&sent[i], 1, MPI_DOUBLE, next, 7, MPI_COMM_WORLD);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    printf("%d %g\n", rank, any - 2 * large);
    printf("%d %g\n", rank, certain - large); //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
