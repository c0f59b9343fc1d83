// MPI_Bcast: the last rank's error is seen on all; a value without one arrives over one that had.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double got[2] = {large, made(0)};
    if (rank == size - 1) got[0] = made(1), got[1] = large;
    MPI_Bcast(got, 2, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
    printf("%d %g\n", rank, got[0] - 2 * large); //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, got[1] - large);
    MPI_Bcast(got, 0, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
