// MPI_Scan and MPI_Exscan: sums up to a rank.
// ranks: 2 4
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double term = rank == 0 ? made(0) : 0, sum = 0;
    MPI_Scan(&term, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("%d %g\n", rank, sum - large); //~ precision-loss: 52..53 bits lost
    sum = large;
    MPI_Exscan(&term, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank > 0) printf("%d %g\n", rank, sum - large); //~ precision-loss: 52..53 bits lost
    else printf("%d\n", sum == large);
    MPI_Finalize();
    return 0;
}
