// MPI_MAX, MPI_MIN and their LOC: the winner's error comes along, and no other.
// ranks: 2 4
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double value = rank == size - 1 ? made(1) : large, got = 0;
    struct { double value; int place; } pair = {value, rank}, best;
    MPI_Allreduce(&value, &got, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    printf("%d %g\n", rank, got - 2 * large); //~ precision-loss: 52..53 bits lost
    MPI_Allreduce(&pair, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    printf("%d %d %g\n", rank, best.place, best.value - 2 * large); //~ precision-loss: 52..53 bits lost
    MPI_Allreduce(&value, &got, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    printf("%d %g\n", rank, got - large);
    MPI_Allreduce(&pair, &best, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    printf("%d %d %g\n", rank, best.place, best.value - large);
    MPI_Finalize();
    return 0;
}
