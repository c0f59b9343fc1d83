// MPI_Scatter and MPI_Scatterv: each rank gets its own, one of them with an error.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent[16], got = 0;
    int counts[8], places[8];
    for (int i = 0; i < 16; i++) sent[i] = i == size - 1 ? made(0) : large;
    MPI_Scatter(sent, 1, MPI_DOUBLE, &got, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == size - 1) printf("%g\n", got - large); //~ precision-loss: 52..53 bits lost
    else printf("%d\n", got == large);
    for (int i = 0; i < 8; i++) counts[i] = 1, places[i] = size - 1 - i;
    MPI_Scatterv(sent, counts, places, MPI_DOUBLE, rank == 0 ? MPI_IN_PLACE : &got, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0) got = sent[size - 1];
    if (rank == 0) printf("%g\n", got - large); //~ precision-loss: 52..53 bits lost
    else printf("%d\n", got == large);
    MPI_Finalize();
    return 0;
}
