// Receives of one sender and tag are completed in the reverse of their order; each has its own error.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent[3] = {made(0), ldexp(large, 1), made(2)}, got[3];
    MPI_Request requests[3];
    for (int i = 0; i < 3; i++) MPI_Irecv(&got[i], 1, MPI_DOUBLE, previous, 7, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < 3; i++) MPI_Send(&sent[i], 1, MPI_DOUBLE, next, 7, MPI_COMM_WORLD);
    for (int i = 2; i >= 0; i--) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    printf("%d %g\n", rank, got[0] - large);     //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, got[1] - 2 * large);
    printf("%d %g\n", rank, got[2] - 4 * large); //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
