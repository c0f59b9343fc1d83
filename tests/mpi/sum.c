// A distributed sum with cancellation across ranks: the first rank has a large term, the last its negative.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double local = 0, total = 0;
    for (int i = 0; i < 100; i++) local += 0.25 * small;
    if (rank == 0) local += ldexp(large, 8);
    MPI_Reduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%g\n", total - ldexp(large, 8)); //~ precision-loss: 52..53 bits lost @output
    MPI_Finalize();
    return 0;
}
