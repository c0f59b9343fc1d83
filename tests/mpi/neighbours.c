// Collectives of neighbours on a ring, both those that block and those that go on.
// ranks: 1 2 4
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent = made(0), got[2] = {0, 0}, out[2] = {made(0), made(0)}, in[2] = {0, 0};
    MPI_Comm ring;
    MPI_Request request;
    int dims = size, periodic = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &periodic, 0, &ring);
    MPI_Neighbor_allgather(&sent, 1, MPI_DOUBLE, got, 1, MPI_DOUBLE, ring);
    MPI_Ineighbor_alltoall(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, ring, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("%d %g\n", rank, got[0] - large); //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, got[1] - large); //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, in[0] - large);  //~ precision-loss: 52..53 bits lost
    printf("%d %g\n", rank, in[1] - large);  //~ precision-loss: 52..53 bits lost
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
