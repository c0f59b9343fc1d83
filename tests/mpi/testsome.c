// Completion by MPI_Testsome.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent[2] = {made(0), ldexp(large, 1)}, got[2];
    MPI_Request requests[2];
    for (int i = 0; i < 2; i++) MPI_Irecv(&got[i], 1, MPI_DOUBLE, previous, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < 2; i++) MPI_Send(&sent[i], 1, MPI_DOUBLE, next, i, MPI_COMM_WORLD);
    for (int i = 0; i < 1; i++) {
        int done = 0, indices[2];
        while (done < 1) MPI_Testsome(2, requests, &done, indices, MPI_STATUSES_IGNORE);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    printf("%d %g\n", rank, got[0] - large); //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, got[1] - 2 * large);
    MPI_Finalize();
    return 0;
}
