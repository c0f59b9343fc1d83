// MPI_Pack and MPI_Unpack restart; a packed message that is received as doubles has a companion all the same.
// restarts: MPI_Unpack
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double value = large, got = made(0), typed = made(0), bad = made(1);
    char buffer[64];
    int position = 0;
    MPI_Pack(&value, 1, MPI_DOUBLE, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
    MPI_Sendrecv(buffer, position, MPI_PACKED, next, 7, &typed, 1, MPI_DOUBLE, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    position = 0;
    MPI_Unpack(buffer, sizeof buffer, &position, &got, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    printf("%d %g %g\n", rank, got - large, typed - large);
    printf("%d %g\n", rank, bad - 2 * large); //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
