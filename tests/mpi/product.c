// MPI_PROD: the product of values with errors; without them it is exact.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double factor = rank == 0 ? made(0) : 2, got = 0;
    MPI_Allreduce(&factor, &got, 1, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
    printf("%d %g\n", rank, got - ldexp(large, size - 1)); //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
