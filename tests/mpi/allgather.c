// MPI_Allgather, in place too, and MPI_Allgatherv with parts of different lengths.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent[2] = {large, rank == size - 1 ? made(0) : large}, got[16], other[16];
    int counts[8], places[8];
    MPI_Allgather(sent, 2, MPI_DOUBLE, got, 2, MPI_DOUBLE, MPI_COMM_WORLD);
    printf("%d %g\n", rank, got[2 * size - 1] - large); //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, got[0] - large);
    for (int i = 0; i < 16; i++) other[i] = large;
    memcpy(other + 2 * rank, sent, sizeof sent);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, other, 2, MPI_DOUBLE, MPI_COMM_WORLD);
    printf("%d %g\n", rank, other[2 * size - 1] - large); //~ precision-loss: 52..53 bits lost
    for (int i = 0; i < 8; i++) counts[i] = i == size - 1 ? 2 : 1, places[i] = i;
    MPI_Allgatherv(sent, counts[rank], MPI_DOUBLE, got, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
    printf("%d %g\n", rank, got[size] - large); //~ precision-loss: 52..53 bits lost
    MPI_Finalize();
    return 0;
}
