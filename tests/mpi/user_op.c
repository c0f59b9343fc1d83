// An operation of the program's own restarts, and that is counted.
// restarts: MPI_Allreduce
#include "common.h"

static void add_all(void *in, void *inout, int *count, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *count; i++) ((double *)inout)[i] += ((double *)in)[i];
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double term = rank == 0 ? made(0) : 0, sum = 0, bad = made(1);
    MPI_Op add;
    MPI_Op_create(add_all, 1, &add);
    MPI_Allreduce(&term, &sum, 1, MPI_DOUBLE, add, MPI_COMM_WORLD);
    printf("%d %g\n", rank, sum - large);
    printf("%d %g\n", rank, bad - 2 * large); //~ precision-loss: 52..53 bits lost
    MPI_Op_free(&add);
    MPI_Finalize();
    return 0;
}
