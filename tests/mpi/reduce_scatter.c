// MPI_Reduce_scatter and its block form: each rank gets the sums of its part.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double terms[8], sums[2];
    int counts[4] = {1, 1, 1, 1};
    for (int i = 0; i < 8; i++) terms[i] = rank == 0 ? (i == size - 1 ? made(0) : large) : 0;
    MPI_Reduce_scatter(terms, sums, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == size - 1) printf("%g\n", sums[0] - large); //~ precision-loss: 52..53 bits lost
    else printf("%d\n", sums[0] == large);
    MPI_Reduce_scatter_block(terms, sums, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == size - 1) printf("%g\n", sums[0] - large); //~ precision-loss: 52..53 bits lost
    else printf("%d\n", sums[0] == large);
    MPI_Finalize();
    return 0;
}
