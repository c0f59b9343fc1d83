// A graph of neighbours, each to the next: parts of several types, and no neighbour at the end of a line.
// ranks: 2 3
#include "common.h"

int main(int argc, char **argv) {
    begin(&argc, &argv);
    MPI_Comm graph, line;
    int one = 1, dims = size, periodic = 0, zero = 0;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &previous, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &graph);
    double sent[2] = {0, made(rank)}, got[2] = {0, 0}, ends[2] = {-1, -1};
    MPI_Aint from = sizeof(double), to = 0;
    MPI_Datatype type = MPI_DOUBLE;
    MPI_Neighbor_alltoallw(sent, &one, &from, &type, got, &one, &to, &type, graph);
    printf("%d %g\n", rank, got[0] - ldexp(large, previous)); //~ precision-loss: 52..53 bits lost
    MPI_Neighbor_alltoallv(sent, &one, &one, MPI_DOUBLE, got, &one, &zero, MPI_DOUBLE, graph);
    printf("%d %g\n", rank, got[0] - ldexp(large, previous)); //~ precision-loss: 52..53 bits lost
    MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &periodic, 0, &line);
    MPI_Neighbor_allgather(&sent[1], 1, MPI_DOUBLE, ends, 1, MPI_DOUBLE, line);
    printf("%d %g\n", rank, rank > 0 ? ends[0] - ldexp(large, rank - 1) : ends[0]); //~ precision-loss: 52..53 bits lost
    MPI_Comm_free(&graph);
    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
