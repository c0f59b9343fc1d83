// A Monte Carlo estimate with MPI_Reduce: the variance by the mean of squares cancels on rank 0.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sums[2] = {0, 0}, totals[2];
    unsigned long state = 88172645463325252ul + (unsigned long)rank;
    double shift = small * 1e9;
    for (int i = 0; i < 1000; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        double x = shift + (double)(state % 1024) / 1024;
        sums[0] += x, sums[1] += x * x;
    }
    MPI_Reduce(sums, totals, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    double n = 1000.0 * size, mean = totals[0] / n;
    if (rank == 0) printf("%g\n", totals[1] / n - mean * mean); //~ precision-loss: 45..53 bits lost @output
    MPI_Finalize();
    return 0;
}
