// Nonblocking collectives that gather, scatter and exchange; with counts, in place, and completed in another order.
// ranks: 1 3
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double own = made(rank), parts[8], mine = 0, out[8], in[8], some[8];
    int counts[8], places[8];
    MPI_Request requests[5];
    for (int i = 0; i < size; i++) counts[i] = 1, places[i] = size - 1 - i, out[i] = made(i), some[i] = 0;
    some[places[rank]] = made(rank);
    double given[8];
    for (int i = 0; i < size; i++) given[i] = made(i);
    MPI_Igather(&own, 1, MPI_DOUBLE, parts, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Iscatterv(given, counts, places, MPI_DOUBLE, &mine, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Ialltoall(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, MPI_COMM_WORLD, &requests[2]);
    MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DOUBLE, some, counts, places, MPI_DOUBLE, MPI_COMM_WORLD, &requests[3]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[4]);
    for (int i = 4; i >= 0; i--) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    if (rank == 0) printf("%g\n", parts[size - 1] - ldexp(large, size - 1));   //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, mine - ldexp(large, places[rank]));               //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, in[size - 1] - ldexp(large, rank));               //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, some[0] - ldexp(large, size - 1));                //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
