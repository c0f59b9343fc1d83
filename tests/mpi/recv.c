// MPI_Recv where it was sent; rank 0 alone receives, in the order of the others.
// ranks: 2 4
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent = made(0), got = 0;
    if (rank > 0) MPI_Send(&sent, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD);
    for (int from = 1; rank == 0 && from < size; from++) {
        MPI_Recv(&got, 1, MPI_DOUBLE, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d %g\n", rank, got - large); //~ precision-loss: 52..53 bits lost @output
    }
    MPI_Finalize();
    return 0;
}
