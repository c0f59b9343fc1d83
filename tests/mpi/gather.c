// MPI_Gather, and MPI_Gatherv with gaps, the root's own part in place; one rank has an error.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent = rank == size - 1 ? made(1) : 2 * large, got[8], spread[16];
    int counts[8], places[8];
    for (int i = 0; i < 8; i++) counts[i] = 1, places[i] = 2 * i;
    MPI_Gather(&sent, 1, MPI_DOUBLE, got, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size - 1; i++) printf("%d %g\n", i, got[i] - 2 * large);
    if (rank == 0) printf("%g\n", got[size - 1] - 2 * large); //~ precision-loss: 52..53 bits lost
    if (rank == 0) spread[0] = sent;
    MPI_Gatherv(rank == 0 ? MPI_IN_PLACE : &sent, 1, MPI_DOUBLE, spread, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size - 1; i++) printf("%d %g\n", i, spread[2 * i] - 2 * large);
    if (rank == 0) printf("%g\n", spread[2 * (size - 1)] - 2 * large); //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
