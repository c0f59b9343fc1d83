// MPI_Sendrecv around a ring, and to nobody.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent = made(0), got = 0, kept = made(1);
    MPI_Sendrecv(&sent, 1, MPI_DOUBLE, next, 7, &got, 1, MPI_DOUBLE, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d %g\n", rank, got - large); //~ precision-loss: 52..53 bits lost @output
    MPI_Status status;
    MPI_Sendrecv(&sent, 1, MPI_DOUBLE, MPI_PROC_NULL, 7, &kept, 1, MPI_DOUBLE, MPI_PROC_NULL, 7, MPI_COMM_WORLD, &status);
    printf("%d %d %g\n", rank, status.MPI_SOURCE == MPI_PROC_NULL, kept - 2 * large); //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
