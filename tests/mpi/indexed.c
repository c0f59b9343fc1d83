// Indexed types, blocks of one length, types of types.
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent[12], got[12];
    int lengths[2] = {1, 2}, places[2] = {5, 1}, starts[2] = {3, 0};
    MPI_Datatype indexed, pair, blocks;
    for (int i = 0; i < 12; i++) sent[i] = large, got[i] = large;
    sent[2] = made(0);
    MPI_Type_indexed(2, lengths, places, MPI_DOUBLE, &indexed);
    MPI_Type_commit(&indexed);
    MPI_Sendrecv(sent, 1, indexed, next, 7, got, 3, MPI_DOUBLE, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d %g %g\n", rank, got[1] - large, got[2] - large); //~ precision-loss: 52..53 bits lost
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_create_indexed_block(2, 1, starts, pair, &blocks);
    MPI_Type_commit(&blocks);
    MPI_Sendrecv(got, 4, MPI_DOUBLE, next, 7, sent, 1, blocks, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d %g\n", rank, sent[6] - large);
    printf("%d %g\n", rank, sent[0] - large); //~ precision-loss: 52..53 bits lost
    MPI_Type_free(&indexed);
    MPI_Type_free(&pair);
    MPI_Type_free(&blocks);
    MPI_Finalize();
    return 0;
}
