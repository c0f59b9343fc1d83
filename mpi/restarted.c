/* Calls that bring floats without their shadows: what they write restarts, and is counted. A buffer of a call that goes on
 * is not the program's until the call is through, so its residues can be forgotten at once. */
#include "nonius_mpi.h"

static void restarts(const char *name, const void *at, long long count, MPI_Datatype type) {
    if (!is_on()) return;
    restart_part(name, range_of(at, count, type));
}

/* A part for each of several ranks. */
static void restarts_parts(const char *name, void *at, const int *counts, const int *places, int count, MPI_Datatype type,
                           int ranks) {
    for (int i = 0; is_on() && i < ranks; i++)
        restart_part(name, part(at, places ? places[i] : (MPI_Aint)i * count, counts ? counts[i] : count, type));
}

static int ranks_of(MPI_Comm comm) {
    int size = 0, is_between_groups = 0;
    PMPI_Comm_test_inter(comm, &is_between_groups);
    if (is_between_groups) PMPI_Comm_remote_size(comm, &size);
    else PMPI_Comm_size(comm, &size);
    return size;
}

static int rank_of(MPI_Comm comm) {
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

/* --- nonblocking collectives --------------------------------------------------------------------------------------- */

WRAP int MPI_Ibcast(void *at, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request) {
    if (rank_of(comm) != root) restarts("MPI_Ibcast", at, count, type);
    return PMPI_Ibcast(at, count, type, root, comm, request);
}

WRAP int MPI_Iallreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                        MPI_Request *request) {
    restarts("MPI_Iallreduce", out, count, type);
    return PMPI_Iallreduce(in, out, count, type, op, comm, request);
}

WRAP int MPI_Ireduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                     MPI_Request *request) {
    if (rank_of(comm) == root) restarts("MPI_Ireduce", out, count, type);
    return PMPI_Ireduce(in, out, count, type, op, root, comm, request);
}

WRAP int MPI_Iscan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request) {
    restarts("MPI_Iscan", out, count, type);
    return PMPI_Iscan(in, out, count, type, op, comm, request);
}

WRAP int MPI_Iexscan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                     MPI_Request *request) {
    restarts("MPI_Iexscan", out, count, type);
    return PMPI_Iexscan(in, out, count, type, op, comm, request);
}

WRAP int MPI_Ireduce_scatter(const void *in, void *out, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                             MPI_Request *request) {
    restarts("MPI_Ireduce_scatter", out, counts[rank_of(comm)], type);
    return PMPI_Ireduce_scatter(in, out, counts, type, op, comm, request);
}

WRAP int MPI_Ireduce_scatter_block(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                   MPI_Request *request) {
    restarts("MPI_Ireduce_scatter_block", out, count, type);
    return PMPI_Ireduce_scatter_block(in, out, count, type, op, comm, request);
}

WRAP int MPI_Igather(const void *out, int out_count, MPI_Datatype out_type, void *in, int count, MPI_Datatype type, int root,
                     MPI_Comm comm, MPI_Request *request) {
    int result = PMPI_Igather(out, out_count, out_type, in, count, type, root, comm, request);
    if (rank_of(comm) == root) restarts_parts("MPI_Igather", in, NULL, NULL, count, type, ranks_of(comm));
    return result;
}

WRAP int MPI_Igatherv(const void *out, int out_count, MPI_Datatype out_type, void *in, const int *counts, const int *places,
                      MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request) {
    int result = PMPI_Igatherv(out, out_count, out_type, in, counts, places, type, root, comm, request);
    if (rank_of(comm) == root) restarts_parts("MPI_Igatherv", in, counts, places, 0, type, ranks_of(comm));
    return result;
}

WRAP int MPI_Iscatter(const void *out, int count, MPI_Datatype type, void *in, int in_count, MPI_Datatype in_type, int root,
                      MPI_Comm comm, MPI_Request *request) {
    restarts("MPI_Iscatter", in, in_count, in_type);
    return PMPI_Iscatter(out, count, type, in, in_count, in_type, root, comm, request);
}

WRAP int MPI_Iscatterv(const void *out, const int *counts, const int *places, MPI_Datatype type, void *in, int in_count,
                       MPI_Datatype in_type, int root, MPI_Comm comm, MPI_Request *request) {
    restarts("MPI_Iscatterv", in, in_count, in_type);
    return PMPI_Iscatterv(out, counts, places, type, in, in_count, in_type, root, comm, request);
}

WRAP int MPI_Iallgather(const void *out, int out_count, MPI_Datatype out_type, void *in, int count, MPI_Datatype type,
                        MPI_Comm comm, MPI_Request *request) {
    restarts_parts("MPI_Iallgather", in, NULL, NULL, count, type, ranks_of(comm));
    return PMPI_Iallgather(out, out_count, out_type, in, count, type, comm, request);
}

WRAP int MPI_Iallgatherv(const void *out, int out_count, MPI_Datatype out_type, void *in, const int *counts,
                         const int *places, MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    restarts_parts("MPI_Iallgatherv", in, counts, places, 0, type, ranks_of(comm));
    return PMPI_Iallgatherv(out, out_count, out_type, in, counts, places, type, comm, request);
}

WRAP int MPI_Ialltoall(const void *out, int out_count, MPI_Datatype out_type, void *in, int count, MPI_Datatype type,
                       MPI_Comm comm, MPI_Request *request) {
    restarts_parts("MPI_Ialltoall", in, NULL, NULL, count, type, ranks_of(comm));
    return PMPI_Ialltoall(out, out_count, out_type, in, count, type, comm, request);
}

WRAP int MPI_Ialltoallv(const void *out, const int *out_counts, const int *out_places, MPI_Datatype out_type, void *in,
                        const int *counts, const int *places, MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    restarts_parts("MPI_Ialltoallv", in, counts, places, 0, type, ranks_of(comm));
    return PMPI_Ialltoallv(out, out_counts, out_places, out_type, in, counts, places, type, comm, request);
}

/* --- neighbours: how many a rank receives from ------------------------------------------------------------------------ */

static int neighbours(MPI_Comm comm) {
    int kind = MPI_UNDEFINED, in = 0, out, is_weighted;
    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_CART) {
        PMPI_Cartdim_get(comm, &in);
        return 2 * in;
    }
    if (kind == MPI_GRAPH) PMPI_Graph_neighbors_count(comm, rank_of(comm), &in);
    if (kind == MPI_DIST_GRAPH) PMPI_Dist_graph_neighbors_count(comm, &in, &out, &is_weighted);
    return in;
}

WRAP int MPI_Neighbor_allgather(const void *out, int out_count, MPI_Datatype out_type, void *in, int count,
                                MPI_Datatype type, MPI_Comm comm) {
    restarts_parts("MPI_Neighbor_allgather", in, NULL, NULL, count, type, neighbours(comm));
    return PMPI_Neighbor_allgather(out, out_count, out_type, in, count, type, comm);
}

WRAP int MPI_Neighbor_allgatherv(const void *out, int out_count, MPI_Datatype out_type, void *in, const int *counts,
                                 const int *places, MPI_Datatype type, MPI_Comm comm) {
    restarts_parts("MPI_Neighbor_allgatherv", in, counts, places, 0, type, neighbours(comm));
    return PMPI_Neighbor_allgatherv(out, out_count, out_type, in, counts, places, type, comm);
}

WRAP int MPI_Neighbor_alltoall(const void *out, int out_count, MPI_Datatype out_type, void *in, int count, MPI_Datatype type,
                               MPI_Comm comm) {
    restarts_parts("MPI_Neighbor_alltoall", in, NULL, NULL, count, type, neighbours(comm));
    return PMPI_Neighbor_alltoall(out, out_count, out_type, in, count, type, comm);
}

WRAP int MPI_Neighbor_alltoallv(const void *out, const int *out_counts, const int *out_places, MPI_Datatype out_type,
                                void *in, const int *counts, const int *places, MPI_Datatype type, MPI_Comm comm) {
    restarts_parts("MPI_Neighbor_alltoallv", in, counts, places, 0, type, neighbours(comm));
    return PMPI_Neighbor_alltoallv(out, out_counts, out_places, out_type, in, counts, places, type, comm);
}

/* --- one-sided: what is fetched restarts here; what others put into a window is another value than its shadow's ------- */

WRAP int MPI_Get(void *at, int count, MPI_Datatype type, int from, MPI_Aint place, int from_count, MPI_Datatype from_type,
                 MPI_Win window) {
    if (from != MPI_PROC_NULL) restarts("MPI_Get", at, count, type);
    return PMPI_Get(at, count, type, from, place, from_count, from_type, window);
}

WRAP int MPI_Rget(void *at, int count, MPI_Datatype type, int from, MPI_Aint place, int from_count, MPI_Datatype from_type,
                  MPI_Win window, MPI_Request *request) {
    if (from != MPI_PROC_NULL) restarts("MPI_Rget", at, count, type);
    return PMPI_Rget(at, count, type, from, place, from_count, from_type, window, request);
}

/* Counted where it leaves: at the target nobody calls anything. */
static void lost_at_target(const char *name, const void *at, int count, MPI_Datatype type, int to) {
    if (!is_on() || to == MPI_PROC_NULL) return;
    struct range range = range_of(at, count, type);
    if (floats_in(&range)) __nonius_exchange_lost(name, floats_in(&range));
    done_with(&range);
}

WRAP int MPI_Put(const void *at, int count, MPI_Datatype type, int to, MPI_Aint place, int to_count, MPI_Datatype to_type,
                 MPI_Win window) {
    lost_at_target("MPI_Put", at, count, type, to);
    return PMPI_Put(at, count, type, to, place, to_count, to_type, window);
}

WRAP int MPI_Rput(const void *at, int count, MPI_Datatype type, int to, MPI_Aint place, int to_count, MPI_Datatype to_type,
                  MPI_Win window, MPI_Request *request) {
    lost_at_target("MPI_Rput", at, count, type, to);
    return PMPI_Rput(at, count, type, to, place, to_count, to_type, window, request);
}

WRAP int MPI_Accumulate(const void *at, int count, MPI_Datatype type, int to, MPI_Aint place, int to_count,
                        MPI_Datatype to_type, MPI_Op op, MPI_Win window) {
    lost_at_target("MPI_Accumulate", at, count, type, to);
    return PMPI_Accumulate(at, count, type, to, place, to_count, to_type, op, window);
}

WRAP int MPI_Get_accumulate(const void *at, int count, MPI_Datatype type, void *in, int in_count, MPI_Datatype in_type,
                            int to, MPI_Aint place, int to_count, MPI_Datatype to_type, MPI_Op op, MPI_Win window) {
    if (to != MPI_PROC_NULL) restarts("MPI_Get_accumulate", in, in_count, in_type);
    return PMPI_Get_accumulate(at, count, type, in, in_count, in_type, to, place, to_count, to_type, op, window);
}

WRAP int MPI_Fetch_and_op(const void *at, void *in, MPI_Datatype type, int to, MPI_Aint place, MPI_Op op, MPI_Win window) {
    if (to != MPI_PROC_NULL) restarts("MPI_Fetch_and_op", in, 1, type);
    return PMPI_Fetch_and_op(at, in, type, to, place, op, window);
}

/* --- packing, and files ------------------------------------------------------------------------------------------------ */

WRAP int MPI_Unpack(const void *from, int bytes, int *position, void *at, int count, MPI_Datatype type, MPI_Comm comm) {
    int result = PMPI_Unpack(from, bytes, position, at, count, type, comm);
    restarts("MPI_Unpack", at, count, type);
    return result;
}

#define FILE_READ(name)                                                                                          \
    WRAP int MPI_File_##name(MPI_File file, void *at, int count, MPI_Datatype type, MPI_Status *status) {        \
        restarts("MPI_File_" #name, at, count, type);                                                            \
        return PMPI_File_##name(file, at, count, type, status);                                                  \
    }
FILE_READ(read)
FILE_READ(read_all)
FILE_READ(read_shared)
FILE_READ(read_ordered)

#define FILE_READ_AT(name)                                                                                       \
    WRAP int MPI_File_##name(MPI_File file, MPI_Offset offset, void *at, int count, MPI_Datatype type,           \
                             MPI_Status *status) {                                                               \
        restarts("MPI_File_" #name, at, count, type);                                                            \
        return PMPI_File_##name(file, offset, at, count, type, status);                                          \
    }
FILE_READ_AT(read_at)
FILE_READ_AT(read_at_all)
