// Neighbour collectives on a ring restart, and are counted.
// restarts: MPI_Neighbor_allgather
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    double sent = large, got[2] = {made(0), made(0)}, bad = made(1);
    MPI_Comm ring;
    int dims = size, periodic = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &periodic, 0, &ring);
    MPI_Neighbor_allgather(&sent, 1, MPI_DOUBLE, got, 1, MPI_DOUBLE, ring);
    printf("%d %g %g\n", rank, got[0] - large, got[1] - large);
    printf("%d %g\n", rank, bad - 2 * large); //~ precision-loss: 52..53 bits lost
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
