// What arrives over a value with an error has none, though it has the same bits.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent = large, got = made(0), bad = made(1);
    MPI_Sendrecv(&sent, 1, MPI_DOUBLE, next, 7, &got, 1, MPI_DOUBLE, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d %g\n", rank, got - large);
    printf("%d %g\n", rank, bad - 2 * large); //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
