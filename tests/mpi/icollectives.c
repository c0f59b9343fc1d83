// Nonblocking collectives carry shadows: what moves, and what is reduced. The program works before it waits.
// ranks: 2 4
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double got = 0, sum = 0, all[8], term = rank == 0 ? made(0) : 0;
    MPI_Request requests[3];
    if (rank == 0) got = made(0);
    MPI_Ibcast(&got, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Iallreduce(&term, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
    MPI_Iallgather(&term, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    printf("%d %g\n", rank, got - large);    //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, sum - large);    //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, all[0] - large); //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
