// MPI_Pack and MPI_Unpack carry shadows, in place and through a message; what was packed may be received as doubles.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double value[2] = {large, made(0)}, got[2] = {0, 0}, typed[2] = {0, 0};
    char buffer[64], received[64];
    int position = 0, number = 7;
    MPI_Pack(value, 2, MPI_DOUBLE, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
    MPI_Sendrecv(buffer, position, MPI_PACKED, next, 7, typed, 2, MPI_DOUBLE, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d %g\n", rank, typed[1] - large); //~ precision-loss: 52..53 bits lost
    MPI_Pack(&number, 1, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
    MPI_Sendrecv(buffer, position, MPI_PACKED, next, 8, received, 64, MPI_PACKED, previous, 8, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    position = number = 0;
    MPI_Unpack(received, sizeof received, &position, got, 2, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Unpack(received, sizeof received, &position, &number, 1, MPI_INT, MPI_COMM_WORLD);
    printf("%d %g %d\n", rank, got[0] - large, number);
    printf("%d %g\n", rank, got[1] - large); //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
