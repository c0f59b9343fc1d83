// Nonblocking collectives bring values without shadows: nothing stale, and counted.
// ranks: 2 4
// restarts: MPI_Ibcast MPI_Iallreduce MPI_Iallgather
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double got = made(0), sum = made(0), all[8], bad = made(1);
    MPI_Request requests[3];
    if (rank == 0) got = large;
    for (int i = 0; i < 8; i++) all[i] = made(0);
    double term = rank == 0 ? large : 0;
    MPI_Ibcast(&got, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Iallreduce(&term, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
    MPI_Iallgather(&term, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    printf("%d %g %g %g\n", rank, got - large, sum - large, all[0] - large);
    printf("%d %g\n", rank, bad - 2 * large); //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
