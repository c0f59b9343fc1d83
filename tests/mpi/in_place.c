// Reductions in place: what is overwritten was read before.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sum = rank == 0 ? made(0) : 0, other = rank == 0 ? made(1) : 0;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("%d %g\n", rank, sum - large); //~ precision-loss: 52..53 bits lost
    if (rank == 0) MPI_Reduce(MPI_IN_PLACE, &other, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    else MPI_Reduce(&other, NULL, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d %g\n", rank, other - 2 * large); //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
