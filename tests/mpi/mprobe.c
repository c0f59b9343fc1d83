// Messages matched by MPI_Mprobe and MPI_Improbe, received in the reverse of their order.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent[2] = {made(0), ldexp(large, 1)}, got[2];
    MPI_Request requests[2], request;
    MPI_Message messages[2];
    int flag = 0;
    for (int i = 0; i < 2; i++) MPI_Isend(&sent[i], 1, MPI_DOUBLE, next, 7, MPI_COMM_WORLD, &requests[i]);
    MPI_Mprobe(previous, MPI_ANY_TAG, MPI_COMM_WORLD, &messages[0], MPI_STATUS_IGNORE);
    while (!flag) MPI_Improbe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag, &messages[1], MPI_STATUS_IGNORE);
    MPI_Mrecv(&got[1], 1, MPI_DOUBLE, &messages[1], MPI_STATUS_IGNORE);
    MPI_Imrecv(&got[0], 1, MPI_DOUBLE, &messages[0], &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    printf("%d %g\n", rank, got[0] - large); //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, got[1] - 2 * large);
    MPI_Finalize();
    return 0;
}
