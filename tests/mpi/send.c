// A ring: each rank receives from the one before it, by MPI_Send and MPI_Irecv.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent = made(0), got = 0;
    MPI_Request request;
    MPI_Irecv(&got, 1, MPI_DOUBLE, previous, 7, MPI_COMM_WORLD, &request);
    MPI_Send(&sent, 1, MPI_DOUBLE, next, 7, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("%d %g\n", rank, got - large); //~ precision-loss: 52..53 bits lost @output
    MPI_Finalize();
    return 0;
}
