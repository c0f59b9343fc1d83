/* Collectives of neighbours: of a grid, or of a graph. Packets go from neighbour to neighbour, as those of other
 * collectives that go on do. Where two ranks are neighbours twice, the order of their parts tells them apart; a library
 * that has another order gives values that packets do not fit, and they restart. */
#include "nonius_mpi.h"

struct neighbours {
    int *from, *to, from_count, to_count;
    int is_grid;
};

static struct neighbours neighbours_of(MPI_Comm comm) {
    struct neighbours all = {NULL, NULL, 0, 0, 0};
    int kind = MPI_UNDEFINED, dims = 0, is_weighted;
    PMPI_Topo_test(comm, &kind);
    all.is_grid = kind == MPI_CART;
    if (kind == MPI_CART) {
        PMPI_Cartdim_get(comm, &dims);
        all.from_count = all.to_count = 2 * dims;
    } else if (kind == MPI_GRAPH) {
        PMPI_Graph_neighbors_count(comm, rank_of(comm), &all.from_count);
        all.to_count = all.from_count;
    } else if (kind == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(comm, &all.from_count, &all.to_count, &is_weighted);
    }
    all.from = room_for((size_t)all.from_count * sizeof(int));
    all.to = room_for((size_t)all.to_count * sizeof(int));
    for (int d = 0; d < dims; d++) PMPI_Cart_shift(comm, d, 1, &all.from[2 * d], &all.from[2 * d + 1]);
    if (kind == MPI_GRAPH) PMPI_Graph_neighbors(comm, rank_of(comm), all.from_count, all.from);
    if (kind == MPI_DIST_GRAPH)
        PMPI_Dist_graph_neighbors(comm, all.from_count, all.from, MPI_UNWEIGHTED, all.to_count, all.to, MPI_UNWEIGHTED);
    else if (all.to_count) memcpy(all.to, all.from, (size_t)all.to_count * sizeof(int));
    return all;
}

/* Parts leave for neighbours, and theirs are to come. On a grid what was sent in one direction comes from the other. */
static struct pending *begin_neighbours(const char *name, const struct side *out, const struct side *in, MPI_Comm comm) {
    struct pending *pending = begin_pending(name, comm);
    if (!pending) return NULL;
    struct neighbours all = neighbours_of(comm);
    for (int i = 0; pending->line && i < all.to_count; i++) departs(pending, part_of_side(out, i), all.to[i]);
    for (int i = 0; i < all.from_count; i++) {
        int at = all.is_grid ? i ^ 1 : i;
        arrives(pending, part_of_side(in, at), all.from[at]);
    }
    free(all.from), free(all.to);
    return pending;
}

#define SAME_SIDE(at, count, type) ((struct side){(char *)(at), NULL, NULL, NULL, count, type, NULL, 1})
#define TYPED_SIDE(at, counts, offsets, types) \
    ((struct side){(char *)(at), counts, NULL, types, 0, MPI_DATATYPE_NULL, offsets, 0})
#define OPEN(...) __VA_ARGS__

/* A call that blocks, and one that goes on, of the same parts. */
#define NEIGHBOURS(name, parameters, out_side, in_side, ...)                                           \
    WRAP int MPI_Neighbor_##name(OPEN parameters, MPI_Comm comm) {                                     \
        struct pending *pending = begin_neighbours("MPI_Neighbor_" #name, &out_side, &in_side, comm);  \
        int result = PMPI_Neighbor_##name(__VA_ARGS__, comm);                                          \
        if (pending) end_pending(pending, result == MPI_SUCCESS);                                      \
        return result;                                                                                 \
    }                                                                                                  \
    WRAP int MPI_Ineighbor_##name(OPEN parameters, MPI_Comm comm, MPI_Request *request) {              \
        struct pending *pending = begin_neighbours("MPI_Ineighbor_" #name, &out_side, &in_side, comm); \
        return begun(pending, PMPI_Ineighbor_##name(__VA_ARGS__, comm, request), request);             \
    }

NEIGHBOURS(allgather, (const void *out, int out_count, MPI_Datatype out_type, void *in, int count, MPI_Datatype type),
           SAME_SIDE(out, out_count, out_type), SIDE(in, NULL, NULL, count, type), out, out_count, out_type, in, count, type)
NEIGHBOURS(allgatherv,
           (const void *out, int out_count, MPI_Datatype out_type, void *in, const int *counts, const int *places,
            MPI_Datatype type),
           SAME_SIDE(out, out_count, out_type), SIDE(in, counts, places, 0, type), out, out_count, out_type, in, counts,
           places, type)
NEIGHBOURS(alltoall, (const void *out, int out_count, MPI_Datatype out_type, void *in, int count, MPI_Datatype type),
           SIDE(out, NULL, NULL, out_count, out_type), SIDE(in, NULL, NULL, count, type), out, out_count, out_type, in,
           count, type)
NEIGHBOURS(alltoallv,
           (const void *out, const int *out_counts, const int *out_places, MPI_Datatype out_type, void *in,
            const int *counts, const int *places, MPI_Datatype type),
           SIDE(out, out_counts, out_places, 0, out_type), SIDE(in, counts, places, 0, type), out, out_counts, out_places,
           out_type, in, counts, places, type)
NEIGHBOURS(alltoallw,
           (const void *out, const int *out_counts, const MPI_Aint *out_offsets, const MPI_Datatype *out_types, void *in,
            const int *counts, const MPI_Aint *offsets, const MPI_Datatype *types),
           TYPED_SIDE(out, out_counts, out_offsets, out_types), TYPED_SIDE(in, counts, offsets, types), out, out_counts,
           out_offsets, out_types, in, counts, offsets, types)
