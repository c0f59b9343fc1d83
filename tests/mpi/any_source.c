// MPI_ANY_SOURCE and MPI_ANY_TAG: one rank of the others has an error, and only its value is bad.
// ranks: 2 4
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent = rank == 1 ? made(1) : ldexp(large, rank), got = 0;
    if (rank > 0) MPI_Send(&sent, 1, MPI_DOUBLE, 0, 10 + rank, MPI_COMM_WORLD);
    for (int n = 1; rank == 0 && n < size; n++) {
        MPI_Status status;
        MPI_Recv(&got, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        int from = status.MPI_SOURCE;
        if (from == 1) printf("%d %g\n", from, got - 2 * large); //~ precision-loss: 52..53 bits lost
        else printf("%d %g\n", from, got - ldexp(large, from));
    }
    MPI_Finalize();
    return 0;
}
