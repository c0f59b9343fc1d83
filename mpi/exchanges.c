/* Collectives in which every rank receives from every other. */
#include "nonius_mpi.h"

static int allgather(const char *name, const void *out, int out_count, MPI_Datatype out_type, void *in, const int *counts,
                     const int *places, int count, MPI_Datatype type, MPI_Comm comm) {
    struct line *line = is_on() ? line_within(comm) : NULL;
    int rank, size;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    struct range range = range_of(NULL, 0, MPI_DATATYPE_NULL);
    if (line && out != MPI_IN_PLACE) range = range_of(out, out_count, out_type);
    else if (line) range = part(in, places ? places[rank] : (MPI_Aint)rank * count, counts ? counts[rank] : count, type);
    struct packet packet = pack(&range);
    int result = counts ? PMPI_Allgatherv(out, out_count, out_type, in, counts, places, type, comm)
                        : PMPI_Allgather(out, out_count, out_type, in, count, type, comm);
    struct packets packets = new_packets(size);
    if (line && result == MPI_SUCCESS) {
        int own = size_of_packet(&packet, size);
        PMPI_Allgather(&own, 1, MPI_INT, packets.sizes, 1, MPI_INT, line->comm);
        place_packets(&packets);
        if (packets.total)
            PMPI_Allgatherv(packet.header, own, MPI_BYTE, packets.data, packets.sizes, packets.places, MPI_BYTE, line->comm);
    }
    int is_between_groups = 0;
    PMPI_Comm_test_inter(comm, &is_between_groups);
    if (is_between_groups) PMPI_Comm_remote_size(comm, &size);
    for (int i = 0; is_on() && result == MPI_SUCCESS && i < size; i++) {
        if (out == MPI_IN_PLACE && i == rank) continue;
        struct range theirs = part(in, places ? places[i] : (MPI_Aint)i * count, counts ? counts[i] : count, type);
        if (line) unpack_from(name, theirs, &packets, i);
        else restart_part(name, theirs);
    }
    free_packets(&packets);
    free_packet(&packet);
    done_with(&range);
    return result;
}

WRAP int MPI_Allgather(const void *out, int out_count, MPI_Datatype out_type, void *in, int count, MPI_Datatype type,
                       MPI_Comm comm) {
    return allgather("MPI_Allgather", out, out_count, out_type, in, NULL, NULL, count, type, comm);
}

WRAP int MPI_Allgatherv(const void *out, int out_count, MPI_Datatype out_type, void *in, const int *counts, const int *places,
                        MPI_Datatype type, MPI_Comm comm) {
    return allgather("MPI_Allgatherv", out, out_count, out_type, in, counts, places, 0, type, comm);
}

/* After the program's own exchange: that of the packets. */
static void exchange_packets(const char *name, struct line *line, struct packets *out, const struct side *in, int size) {
    int any = out->total > 0;
    struct packets packets = new_packets(size);
    PMPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_LOR, line->comm);
    if (any) PMPI_Alltoall(out->sizes, 1, MPI_INT, packets.sizes, 1, MPI_INT, line->comm);
    place_packets(&packets);
    if (any)
        PMPI_Alltoallv(out->data, out->sizes, out->places, MPI_BYTE, packets.data, packets.sizes, packets.places, MPI_BYTE,
                       line->comm);
    for (int i = 0; i < size; i++) unpack_from(name, part_of_side(in, i), &packets, i);
    free_packets(&packets);
}

/* What goes before and after the program's call, which is put between. */
#define EXCHANGE(name, out_side, in_side, call)                                                     \
    struct line *line = is_on() ? line_within(comm) : NULL;                                         \
    int size;                                                                                       \
    PMPI_Comm_size(comm, &size);                                                                    \
    struct side to = out_side, from = in_side;                                                      \
    struct packets packets = line ? pack_side(out == MPI_IN_PLACE ? &from : &to, size) : new_packets(0); \
    int result = call;                                                                              \
    if (line && result == MPI_SUCCESS) {                                                            \
        exchange_packets(name, line, &packets, &from, size);                                        \
    } else if (is_on() && result == MPI_SUCCESS) {                                                  \
        int is_between_groups = 0;                                                                  \
        PMPI_Comm_test_inter(comm, &is_between_groups);                                             \
        if (is_between_groups) PMPI_Comm_remote_size(comm, &size);                                  \
        for (int i = 0; i < size; i++) restart_part(name, part_of_side(&from, i));                  \
    }                                                                                               \
    free_packets(&packets);                                                                         \
    return result

WRAP int MPI_Alltoall(const void *out, int out_count, MPI_Datatype out_type, void *in, int count, MPI_Datatype type,
                      MPI_Comm comm) {
    EXCHANGE("MPI_Alltoall", ((struct side){(char *)out, NULL, NULL, NULL, out_count, out_type, NULL, 0}),
             ((struct side){in, NULL, NULL, NULL, count, type, NULL, 0}),
             PMPI_Alltoall(out, out_count, out_type, in, count, type, comm));
}

WRAP int MPI_Alltoallv(const void *out, const int *out_counts, const int *out_places, MPI_Datatype out_type, void *in,
                       const int *counts, const int *places, MPI_Datatype type, MPI_Comm comm) {
    EXCHANGE("MPI_Alltoallv", ((struct side){(char *)out, out_counts, out_places, NULL, 0, out_type, NULL, 0}),
             ((struct side){in, counts, places, NULL, 0, type, NULL, 0}),
             PMPI_Alltoallv(out, out_counts, out_places, out_type, in, counts, places, type, comm));
}

WRAP int MPI_Alltoallw(const void *out, const int *out_counts, const int *out_places, const MPI_Datatype *out_types, void *in,
                       const int *counts, const int *places, const MPI_Datatype *types, MPI_Comm comm) {
    EXCHANGE("MPI_Alltoallw", ((struct side){(char *)out, out_counts, out_places, out_types, 0, MPI_DATATYPE_NULL, NULL, 0}),
             ((struct side){in, counts, places, types, 0, MPI_DATATYPE_NULL, NULL, 0}),
             PMPI_Alltoallw(out, out_counts, out_places, out_types, in, counts, places, types, comm));
}
