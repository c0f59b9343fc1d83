/* Collectives: all show where their memory is, each copies what it is to have, and all part before anything is written. */

struct side {
    const char *at;
    int count;
    const int *counts, *places;
    MPI_Datatype type;
    const MPI_Datatype *types;
    const MPI_Aint *offsets; /* bytes, as places are with types of their own */
};

/* The part for a rank: what it takes, packed; and where it goes. */
static const char *place_of(const struct side *side, int i, int *count, MPI_Datatype *type) {
    *type = side->types ? side->types[i] : side->type;
    *count = side->counts ? side->counts[i] : side->count;
    if (side->offsets) return side->at + side->offsets[i];
    if (side->types) return side->at + side->places[i];
    return side->at + (side->places ? side->places[i] : i * side->count) * (*type)->extent;
}

static char *packed_part(const struct side *side, int i) {
    MPI_Datatype type;
    int count;
    const char *at = place_of(side, i, &count, &type);
    return packed(at, count, type);
}

static void put_part(const struct side *side, int i, char *part) {
    MPI_Datatype type;
    int count;
    const char *at = place_of(side, i, &count, &type);
    if (part) unpack(part, bytes_of(count, type), (char *)at, count, type);
    free(part);
}

/* What a call gives and takes: `from` says which part of a rank's this one takes, or -1. */
static int exchange(MPI_Comm comm, const struct side *out, const struct side *in, int (*from)(MPI_Comm, int)) {
    char *parts[MOST_RANKS] = {NULL};
    void **all = meet(comm, (void *)out);
    for (int i = 0; i < comm->size; i++)
        if (from(comm, i) >= 0) parts[i] = packed_part(all[i], from(comm, i));
    part(comm);
    for (int i = 0; i < comm->size; i++)
        if (parts[i]) put_part(in, i, parts[i]);
    return part(comm), MPI_SUCCESS;
}

static PER_RANK int root_of_call;
static int of_all(MPI_Comm comm, int i) { return rank_in(comm); }
static int to_root(MPI_Comm comm, int i) { return rank_in(comm) == root_of_call ? rank_in(comm) : -1; }
static int from_root(MPI_Comm comm, int i) { return i == root_of_call ? rank_in(comm) : -1; }

#define SIDE(...) ((struct side){__VA_ARGS__})
/* The same for all: parts do not lie side by side. */
static const int nowhere[MOST_RANKS];
static PER_RANK int same_counts[MOST_RANKS];
static struct side same_for_all(const void *at, int count, MPI_Datatype type) {
    for (int i = 0; i < MOST_RANKS; i++) same_counts[i] = count;
    return SIDE((const char *)at, 0, same_counts, nowhere, type);
}

static int MPI_Bcast(void *at, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    struct side side = same_for_all(at, count, type);
    root_of_call = root;
    return exchange(comm, &side, &side, from_root);
}

static int MPI_Gatherv(const void *out, int out_count, MPI_Datatype out_type, void *in, const int *counts, const int *places,
                       MPI_Datatype type, int root, MPI_Comm comm) {
    struct side in_side = SIDE(in, 0, counts, places, type), out_side = same_for_all(out, out_count, out_type);
    root_of_call = root;
    return exchange(comm, out == MPI_IN_PLACE ? &in_side : &out_side, &in_side, to_root);
}

static int MPI_Gather(const void *out, int out_count, MPI_Datatype out_type, void *in, int count, MPI_Datatype type, int root,
                      MPI_Comm comm) {
    struct side in_side = SIDE(in, count, NULL, NULL, type), out_side = same_for_all(out, out_count, out_type);
    root_of_call = root;
    return exchange(comm, out == MPI_IN_PLACE ? &in_side : &out_side, &in_side, to_root);
}

static int scatter(struct side out, void *in, int in_count, MPI_Datatype in_type, int root, MPI_Comm comm) {
    struct side in_side = same_for_all(in, in_count, in_type);
    root_of_call = root;
    int is_in_place = in == MPI_IN_PLACE;
    return exchange(comm, &out, is_in_place ? &out : &in_side, from_root);
}
#define MPI_Scatter(out, count, type, in, in_count, in_type, root, comm) \
    scatter(SIDE((char *)(out), count, NULL, NULL, type), in, in_count, in_type, root, comm)
#define MPI_Scatterv(out, counts, places, type, in, in_count, in_type, root, comm) \
    scatter(SIDE((char *)(out), 0, counts, places, type), in, in_count, in_type, root, comm)

/* In place, each gives the part that is its own. */
static int MPI_Allgather(const void *out, int out_count, MPI_Datatype out_type, void *in, int count, MPI_Datatype type,
                         MPI_Comm comm) {
    struct side mine = same_for_all((char *)in + rank_in(comm) * count * type->extent, count, type);
    if (out != MPI_IN_PLACE) mine = same_for_all(out, out_count, out_type);
    struct side in_side = SIDE(in, count, NULL, NULL, type);
    return exchange(comm, &mine, &in_side, of_all);
}

static int MPI_Allgatherv(const void *out, int out_count, MPI_Datatype out_type, void *in, const int *counts,
                          const int *places, MPI_Datatype type, MPI_Comm comm) {
    int me = rank_in(comm);
    struct side mine = same_for_all((char *)in + places[me] * type->extent, counts[me], type);
    if (out != MPI_IN_PLACE) mine = same_for_all(out, out_count, out_type);
    struct side in_side = SIDE(in, 0, counts, places, type);
    return exchange(comm, &mine, &in_side, of_all);
}

static int all_to_all(const void *out, struct side out_side, struct side in, MPI_Comm comm) {
    return exchange(comm, out == MPI_IN_PLACE ? &in : &out_side, &in, of_all);
}
#define MPI_Alltoall(out, out_count, out_type, in, count, type, comm)                  \
    all_to_all(out, SIDE((char *)(out), out_count, NULL, NULL, out_type),              \
               SIDE((char *)(in), count, NULL, NULL, type), comm)
#define MPI_Alltoallv(out, out_counts, out_places, out_type, in, counts, places, type, comm) \
    all_to_all(out, SIDE((char *)(out), 0, out_counts, out_places, out_type),                \
               SIDE((char *)(in), 0, counts, places, type), comm)
#define MPI_Alltoallw(out, out_counts, out_places, out_types, in, counts, places, types, comm) \
    all_to_all(out, SIDE((char *)(out), 0, out_counts, out_places, NULL, out_types),           \
               SIDE((char *)(in), 0, counts, places, NULL, types), comm)

#define MPI_Ibarrier(comm, request) (MPI_Barrier(comm), begun(request))
#define MPI_Ibcast(at, count, type, root, comm, request) (MPI_Bcast(at, count, type, root, comm), begun(request))
#define MPI_Igather(a, b, c, d, e, f, root, comm, request) (MPI_Gather(a, b, c, d, e, f, root, comm), begun(request))
#define MPI_Iscatterv(a, b, c, d, e, f, g, root, comm, request) \
    (MPI_Scatterv(a, b, c, d, e, f, g, root, comm), begun(request))
#define MPI_Iallgather(a, b, c, d, e, f, comm, request) (MPI_Allgather(a, b, c, d, e, f, comm), begun(request))
#define MPI_Iallgatherv(a, b, c, d, e, f, g, comm, request) (MPI_Allgatherv(a, b, c, d, e, f, g, comm), begun(request))
#define MPI_Ialltoall(a, b, c, d, e, f, comm, request) (MPI_Alltoall(a, b, c, d, e, f, comm), begun(request))

/* --- neighbours: messages with a tag of their own. On a grid what goes one way comes from the other. ------------------- */

enum { NEIGHBOUR_TAG = -77 };

static void neighbours(struct side out, struct side in, MPI_Comm comm) {
    int sources[6], targets[6], ins = comm->dims ? 2 * comm->dims : comm->in, outs = comm->dims ? 2 * comm->dims : comm->out;
    for (int d = 0; d < comm->dims; d++) MPI_Cart_shift(comm, d, 1, &targets[2 * d], &targets[2 * d + 1]);
    memcpy(sources, comm->dims ? targets : comm->sources, sizeof(int) * (size_t)ins);
    if (!comm->dims) memcpy(targets, comm->targets, sizeof(int) * (size_t)outs);
    for (int i = 0; i < outs; i++) {
        MPI_Datatype type;
        int count;
        const char *at = place_of(&out, i, &count, &type);
        send_message(at, count, type, targets[i], NEIGHBOUR_TAG - (comm->dims ? i : 0), comm);
    }
    for (int i = 0; i < ins; i++) {
        MPI_Datatype type;
        int count;
        const char *at = place_of(&in, i, &count, &type);
        MPI_Recv((void *)at, count, type, sources[i], NEIGHBOUR_TAG - (comm->dims ? i ^ 1 : 0), comm, MPI_STATUS_IGNORE);
    }
}
#define MPI_Neighbor_allgather(out, out_count, out_type, in, count, type, comm) \
    neighbours(same_for_all(out, out_count, out_type), SIDE((char *)(in), count, NULL, NULL, type), comm)
#define MPI_Neighbor_alltoall(out, out_count, out_type, in, count, type, comm) \
    neighbours(SIDE((char *)(out), out_count, NULL, NULL, out_type), SIDE((char *)(in), count, NULL, NULL, type), comm)
#define MPI_Neighbor_alltoallv(out, out_counts, out_places, out_type, in, counts, places, type, comm) \
    neighbours(SIDE((char *)(out), 0, out_counts, out_places, out_type),                             \
               SIDE((char *)(in), 0, counts, places, type), comm)
#define MPI_Neighbor_alltoallw(out, out_counts, out_places, out_types, in, counts, places, types, comm) \
    neighbours(SIDE((char *)(out), 0, out_counts, NULL, NULL, out_types, out_places),                  \
               SIDE((char *)(in), 0, counts, NULL, NULL, types, places), comm)
#define MPI_Ineighbor_alltoall(out, out_count, out_type, in, count, type, comm, request) \
    (MPI_Neighbor_alltoall(out, out_count, out_type, in, count, type, comm), begun(request))
