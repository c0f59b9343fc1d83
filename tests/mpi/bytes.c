// Floats sent as bytes take their shadows along; integers and empty messages have none.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent[2] = {large, made(0)}, got[2];
    int number = rank, other = 0;
    MPI_Sendrecv(sent, sizeof sent, MPI_BYTE, next, 7, got, sizeof got, MPI_BYTE, previous, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    printf("%d %g %g\n", rank, got[0] - large, got[1] - large); //~ precision-loss: 52..53 bits lost
    MPI_Sendrecv(&number, 1, MPI_INT, next, 7, &other, 1, MPI_INT, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(NULL, 0, MPI_DOUBLE, next, 7, NULL, 0, MPI_DOUBLE, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d %d\n", rank, other == previous);
    MPI_Finalize();
    return 0;
}
