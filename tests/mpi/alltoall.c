// MPI_Alltoall, in place too, MPI_Alltoallv and MPI_Alltoallw: what rank 0 has for the last is bad.
// ranks: 1 4
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent[8], got[8];
    int counts[8], places[8], bytes[8];
    MPI_Datatype types[8];
    for (int i = 0; i < 8; i++) sent[i] = rank == 0 && i == size - 1 ? made(0) : large;
    for (int i = 0; i < 8; i++) counts[i] = 1, places[i] = i, bytes[i] = 8 * i, types[i] = MPI_DOUBLE;
    MPI_Alltoall(sent, 1, MPI_DOUBLE, got, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    if (rank == size - 1) printf("%g\n", got[0] - large); //~ precision-loss: 52..53 bits lost
    else printf("%d\n", got[0] == large);
    MPI_Alltoallv(sent, counts, places, MPI_DOUBLE, got, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
    if (rank == size - 1) printf("%g\n", got[0] - large); //~ precision-loss: 52..53 bits lost
    else printf("%d\n", got[0] == large);
    MPI_Alltoallw(sent, counts, bytes, types, got, counts, bytes, types, MPI_COMM_WORLD);
    if (rank == size - 1) printf("%g\n", got[0] - large); //~ precision-loss: 52..53 bits lost
    else printf("%d\n", got[0] == large);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, sent, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    if (rank == size - 1) printf("%g\n", sent[0] - large); //~ precision-loss: 52..53 bits lost
    else printf("%d\n", sent[0] == large);
    MPI_Finalize();
    return 0;
}
