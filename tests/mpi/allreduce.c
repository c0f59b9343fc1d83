// MPI_Allreduce: terms cancel across ranks, in the sum itself and by errors that they came with.
// ranks: 2 4
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double term = rank == 0 ? large : rank == 1 ? small : 0, sum = 0, bad = rank == 0 ? made(0) : 0;
    MPI_Allreduce(&term, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("%d %g\n", rank, sum - large); //~ precision-loss: 52..53 bits lost
    MPI_Allreduce(&bad, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("%d %g\n", rank, sum - large); //~ precision-loss: 52..53 bits lost
    float single = rank == 0 ? 1e8f : (float)small / (float)(size - 1), total = 0;
    MPI_Allreduce(&single, &total, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    printf("%d %g\n", rank, total - 1e8f); //~ precision-loss: 23..24 bits lost
    term = 3;
    MPI_Allreduce(&term, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("%d %g\n", rank, sum - 3.0 * size);
    MPI_Finalize();
    return 0;
}
