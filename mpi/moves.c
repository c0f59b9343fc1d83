/* Collectives that move values. The program's own call is made first, as it came; what each rank contributes was packed
 * before it, since it may be overwritten. Then packets take the same way on the companion: their sizes, and if there are
 * residues anywhere, the packets. */
#include "nonius_mpi.h"

/* Null if shadows restart in this call: between groups, or where there is no companion. */
static struct line *line_within(MPI_Comm comm) {
    struct line *line = line_of(comm);
    return line && !line->is_between_groups ? line : NULL;
}

/* 0 if there is nothing to carry. What would take the packets of all ranks past MPI's integers is not carried. */
static int size_of_packet(const struct packet *packet, int ranks) {
    return packet->header->mode == MODE_NONE || packet->bytes > (size_t)(INT_MAX / ranks) ? 0 : (int)packet->bytes;
}

/* Packets of several ranks, one after the other. */
struct packets {
    int *sizes, *places, count;
    char *data;
    int64_t total;
};

static struct packets new_packets(int count) {
    struct packets packets = {calloc((size_t)count, sizeof(int)), calloc((size_t)count, sizeof(int)), count, NULL, 0};
    if (!packets.sizes || !packets.places) abort();
    return packets;
}

/* When sizes are known. */
static void place_packets(struct packets *packets) {
    packets->total = 0;
    for (int i = 0; i < packets->count; i++) {
        packets->places[i] = (int)packets->total;
        packets->total += packets->sizes[i];
    }
    packets->data = room_for((size_t)packets->total);
}

static void free_packets(struct packets *packets) {
    free(packets->sizes), free(packets->places), free(packets->data);
}

static void unpack_from(const char *name, struct range range, const struct packets *packets, int rank) {
    unpack(name, &range, (const struct header *)(packets->data + packets->places[rank]), (size_t)packets->sizes[rank]);
    done_with(&range);
}

static MPI_Aint extent_of(MPI_Datatype type) {
    MPI_Aint low, extent = 0;
    PMPI_Type_get_extent(type, &low, &extent);
    return extent;
}

/* The part of a buffer that belongs to a rank: `place` elements from its beginning. */
static struct range part(const void *at, MPI_Aint place, int count, MPI_Datatype type) {
    return range_of((const char *)at + place * extent_of(type), count, type);
}

static void restart_part(const char *name, struct range range) {
    restart(name, &range);
    done_with(&range);
}

WRAP int MPI_Bcast(void *at, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    int result = PMPI_Bcast(at, count, type, root, comm);
    if (!is_on() || result != MPI_SUCCESS) return result;
    struct line *line = line_within(comm);
    struct range range = range_of(at, count, type);
    int rank, is_between_groups = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_test_inter(comm, &is_between_groups);
    if (!line) {
        int receives = is_between_groups ? root != MPI_ROOT && root != MPI_PROC_NULL : rank != root;
        if (receives) restart("MPI_Bcast", &range);
    } else {
        struct packet packet = rank == root ? pack(&range) : empty_packet();
        int bytes = size_of_packet(&packet, 1);
        PMPI_Bcast(&bytes, 1, MPI_INT, root, line->comm);
        if (rank != root && bytes) packet = (struct packet){room_for((size_t)bytes), (size_t)bytes};
        if (bytes) PMPI_Bcast(packet.header, bytes, MPI_BYTE, root, line->comm);
        if (rank != root) unpack("MPI_Bcast", &range, packet.header, packet.bytes);
        free_packet(&packet);
    }
    done_with(&range);
    return result;
}

/* Packets of all ranks come to the root, which gives its parts their residues; `counts` and `places` are null where all
 * parts are alike. */
static void gather_packets(const char *name, struct line *line, struct packet *packet, void *in, const int *counts,
                           const int *places, int count, MPI_Datatype type, int root, int is_in_place) {
    int rank, size;
    PMPI_Comm_rank(line->comm, &rank);
    PMPI_Comm_size(line->comm, &size);
    int own = size_of_packet(packet, size);
    struct packets packets = new_packets(rank == root ? size : 0);
    PMPI_Gather(&own, 1, MPI_INT, packets.sizes, 1, MPI_INT, root, line->comm);
    place_packets(&packets);
    PMPI_Gatherv(packet->header, own, MPI_BYTE, packets.data, packets.sizes, packets.places, MPI_BYTE, root, line->comm);
    for (int i = 0; rank == root && i < size; i++) {
        if (is_in_place && i == root) continue;
        int n = counts ? counts[i] : count;
        unpack_from(name, part(in, places ? places[i] : (MPI_Aint)i * count, n, type), &packets, i);
    }
    free_packets(&packets);
}

static int gather(const char *name, const void *out, int out_count, MPI_Datatype out_type, void *in, const int *counts,
                  const int *places, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    struct line *line = is_on() ? line_within(comm) : NULL;
    struct range range = line ? range_of(out, out_count, out_type) : range_of(NULL, 0, MPI_DATATYPE_NULL);
    struct packet packet = pack(&range);
    int result = counts || (places != NULL)
                     ? PMPI_Gatherv(out, out_count, out_type, in, counts, places, type, root, comm)
                     : PMPI_Gather(out, out_count, out_type, in, count, type, root, comm);
    int rank, size;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    if (line && result == MPI_SUCCESS) {
        gather_packets(name, line, &packet, in, counts, places, count, type, root, out == MPI_IN_PLACE);
    } else if (is_on() && result == MPI_SUCCESS && (rank == root || root == MPI_ROOT)) {
        if (root == MPI_ROOT) PMPI_Comm_remote_size(comm, &size);
        for (int i = 0; i < size; i++)
            restart_part(name, part(in, places ? places[i] : (MPI_Aint)i * count, counts ? counts[i] : count, type));
    }
    free_packet(&packet);
    done_with(&range);
    return result;
}

WRAP int MPI_Gather(const void *out, int out_count, MPI_Datatype out_type, void *in, int count, MPI_Datatype type, int root,
                    MPI_Comm comm) {
    return gather("MPI_Gather", out, out_count, out_type, in, NULL, NULL, count, type, root, comm);
}

WRAP int MPI_Gatherv(const void *out, int out_count, MPI_Datatype out_type, void *in, const int *counts, const int *places,
                     MPI_Datatype type, int root, MPI_Comm comm) {
    static const int none[1];
    /* Only the root has to say where things go. */
    return gather("MPI_Gatherv", out, out_count, out_type, in, counts ? counts : none, places ? places : none, 0, type, root,
                  comm);
}

/* The root's packets go to all ranks. */
static void scatter_packets(const char *name, struct line *line, struct packets *packets, struct range *in, int root) {
    int bytes = 0;
    PMPI_Scatter(packets->sizes, 1, MPI_INT, &bytes, 1, MPI_INT, root, line->comm);
    struct header *header = room_for((size_t)bytes);
    PMPI_Scatterv(packets->data, packets->sizes, packets->places, MPI_BYTE, header, bytes, MPI_BYTE, root, line->comm);
    unpack(name, in, header, (size_t)bytes);
    free(header);
}

/* One side of a call that moves parts, one for each rank. `places` are elements, or bytes if there are several types; `offsets` bytes. */
struct side {
    char *at;
    const int *counts, *places;
    const MPI_Datatype *types;
    int count;
    MPI_Datatype type;
    const MPI_Aint *offsets;
    int is_same; /* one part, for all */
};

static struct range part_of_side(const struct side *side, int rank) {
    if (side->is_same) return range_of(side->at, side->count, side->type);
    if (side->offsets) return range_of(side->at + side->offsets[rank], side->counts[rank], side->types[rank]);
    MPI_Datatype type = side->types ? side->types[rank] : side->type;
    int count = side->counts ? side->counts[rank] : side->count;
    MPI_Aint place = side->places ? side->places[rank] : (MPI_Aint)rank * side->count;
    return range_of(side->at + place * (side->types ? 1 : extent_of(type)), count, type);
}

/* Packs the parts. */
static struct packets pack_side(const struct side *side, int size) {
    struct packets packets = new_packets(size);
    struct packet *each = room_for((size_t)size * sizeof *each);
    for (int i = 0; i < size; i++) {
        struct range range = part_of_side(side, i);
        each[i] = pack(&range);
        packets.sizes[i] = size_of_packet(&each[i], size);
        done_with(&range);
    }
    place_packets(&packets);
    for (int i = 0; i < size; i++) {
        memcpy(packets.data + packets.places[i], each[i].header, (size_t)packets.sizes[i]);
        free_packet(&each[i]);
    }
    free(each);
    return packets;
}

static int scatter(const char *name, const void *out, const int *counts, const int *places, int count, MPI_Datatype type,
                   void *in, int in_count, MPI_Datatype in_type, int root, MPI_Comm comm) {
    struct line *line = is_on() ? line_within(comm) : NULL;
    int rank, size;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    struct side side = {(char *)out, counts, places, NULL, count, type, NULL, 0};
    struct packets packets =
        line && rank == root ? pack_side(&side, size) : new_packets(0);
    int result = counts ? PMPI_Scatterv(out, counts, places, type, in, in_count, in_type, root, comm)
                        : PMPI_Scatter(out, count, type, in, in_count, in_type, root, comm);
    struct range range = is_on() && root != MPI_ROOT && root != MPI_PROC_NULL ? range_of(in, in_count, in_type)
                                                                              : range_of(NULL, 0, MPI_DATATYPE_NULL);
    if (line && result == MPI_SUCCESS) scatter_packets(name, line, &packets, &range, root);
    else if (result == MPI_SUCCESS) restart(name, &range);
    free_packets(&packets);
    done_with(&range);
    return result;
}

WRAP int MPI_Scatter(const void *out, int count, MPI_Datatype type, void *in, int in_count, MPI_Datatype in_type, int root,
                     MPI_Comm comm) {
    return scatter("MPI_Scatter", out, NULL, NULL, count, type, in, in_count, in_type, root, comm);
}

WRAP int MPI_Scatterv(const void *out, const int *counts, const int *places, MPI_Datatype type, void *in, int in_count,
                      MPI_Datatype in_type, int root, MPI_Comm comm) {
    static const int none[1];
    return scatter("MPI_Scatterv", out, counts ? counts : none, places ? places : none, 0, type, in, in_count, in_type, root,
                   comm);
}
