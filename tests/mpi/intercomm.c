// Two groups: messages between them are carried, collectives between them restart.
// ranks: 2 4
// restarts: MPI_Allgather
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent = made(0), got = 0, all[4], bad = made(1);
    MPI_Comm half, between;
    int color = rank % 2, in_half;
    MPI_Comm_split(MPI_COMM_WORLD, color, rank, &half);
    MPI_Comm_rank(half, &in_half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - color, 5, &between);
    MPI_Sendrecv(&sent, 1, MPI_DOUBLE, in_half, 7, &got, 1, MPI_DOUBLE, in_half, 7, between, MPI_STATUS_IGNORE);
    printf("%d %g\n", rank, got - large); //~ precision-loss: 52..53 bits lost
    sent = large;
    MPI_Allgather(&sent, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, between);
    printf("%d %g\n", rank, all[0] - large);
    printf("%d %g\n", rank, bad - 2 * large); //~ precision-loss: 52..53 bits lost
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
