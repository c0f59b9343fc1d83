// Duplicates, splits and grids have companions of their own.
// ranks: 1 4
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent = made(0), got = 0;
    MPI_Comm copy, half, grid;
    int dims = size, periodic = 1, from, to, in_half, of_half;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_split(copy, rank % 2, -rank, &half);
    MPI_Cart_create(copy, 1, &dims, &periodic, 0, &grid);
    MPI_Sendrecv(&sent, 1, MPI_DOUBLE, next, 7, &got, 1, MPI_DOUBLE, previous, 7, copy, MPI_STATUS_IGNORE);
    printf("%d %g\n", rank, got - large); //~ precision-loss: 52..53 bits lost
    MPI_Comm_rank(half, &in_half);
    MPI_Comm_size(half, &of_half);
    to = (in_half + 1) % of_half, from = (in_half + of_half - 1) % of_half;
    MPI_Sendrecv(&sent, 1, MPI_DOUBLE, to, 7, &got, 1, MPI_DOUBLE, from, 7, half, MPI_STATUS_IGNORE);
    printf("%d %g\n", rank, got - large); //~ precision-loss: 52..53 bits lost
    MPI_Cart_shift(grid, 0, 1, &from, &to);
    MPI_Sendrecv(&sent, 1, MPI_DOUBLE, to, 7, &got, 1, MPI_DOUBLE, from, 7, grid, MPI_STATUS_IGNORE);
    printf("%d %g\n", rank, got - large); //~ precision-loss: 52..53 bits lost
    MPI_Comm_free(&grid);
    MPI_Comm_free(&half);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
