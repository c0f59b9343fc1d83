// MPI_Probe says how much there is; the receive has more room than that, and what lay behind it keeps its error.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent[3] = {made(0), large, made(2)}, got[5];
    MPI_Request request;
    for (int i = 0; i < 5; i++) got[i] = made(i);
    MPI_Isend(sent, 3, MPI_DOUBLE, next, 7, MPI_COMM_WORLD, &request);
    MPI_Status status;
    int count;
    MPI_Probe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
    MPI_Recv(got, 5, MPI_DOUBLE, status.MPI_SOURCE, 7, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("%d %d %g\n", rank, count, got[0] - large); //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, got[1] - large);
    printf("%d %g\n", rank, got[2] - 4 * large);       //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, got[4] - 16 * large);      //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
