/* Collectives that go on while the program does. What a rank gives leaves when it calls, as packets of its own to each
 * rank that receives: nobody has to know how long another's is, and no sender waits. When the program's request is
 * through, what was given had left before, and is fetched. A reduction of ours goes on beside the program's. */
#include "nonius_mpi.h"

/* A reduction of ours that is not through so long after the program's will not be waited for. */
static const double MOST_WAIT = 10;

/* All ranks make the same calls in the same order on a communicator. */
static int next_tag(struct line *line) {
    uint32_t number = __atomic_fetch_add(&line->collectives, 1, __ATOMIC_RELAXED);
    return highest_tag - (int)(number % COLLECTIVE_TAGS);
}

struct arrival {
    int from;
    struct range range;
};

/* A collective, or a one-sided call with a request, under way. */
struct pending {
    const char *name;
    struct line *line; /* null: nothing is carried */
    int tag;
    struct arrival *arrivals;
    int count, room;
    /* Of reductions: */
    struct reduction reduction;
    MPI_Request request;
    void *to;
    int terms;
    /* Of one-sided calls: */
    struct window *window;
    int target;
};

static struct pending *begin_pending(const char *name, MPI_Comm comm) {
    if (!is_on()) return NULL;
    struct pending *pending = room_for(sizeof *pending);
    *pending = (struct pending){.name = name, .line = line_within(comm), .request = MPI_REQUEST_NULL};
    if (pending->line) pending->tag = next_tag(pending->line);
    return pending;
}

static void departs(struct pending *pending, struct range range, int to) {
    if (pending && pending->line && to != MPI_PROC_NULL) send_packet(pending->line, pack(&range), to, pending->tag);
    done_with(&range);
}

/* Memory that the call fills. Where nothing is carried it restarts at once: until the call is through it is not the
 * program's. */
static void arrives(struct pending *pending, struct range range, int from) {
    if (!pending || from == MPI_PROC_NULL) {
        done_with(&range);
    } else if (!pending->line) {
        restart_part(pending->name, range);
    } else {
        if (pending->count == pending->room) {
            pending->room = pending->room ? 2 * pending->room : 4;
            pending->arrivals = realloc(pending->arrivals, (size_t)pending->room * sizeof *pending->arrivals);
            if (!pending->arrivals) abort();
        }
        pending->arrivals[pending->count++] = (struct arrival){from, range};
    }
}

static void flush_window(struct window *window, int target, int is_local);

/* Whether ours is through, soon enough. */
static int waits_for(MPI_Request *request) {
    int is_done = *request == MPI_REQUEST_NULL;
    double until = now() + MOST_WAIT;
    while (!is_done && now() < until) {
        reap();
        PMPI_Test(request, &is_done, MPI_STATUS_IGNORE);
    }
    return is_done;
}

/* The program's call is through; `is_good`: it did what it should. */
static void end_pending(struct pending *pending, int is_good) {
    for (int i = 0; i < pending->count; i++) {
        struct arrival *arrival = &pending->arrivals[i];
        struct packet packet = is_good ? fetch(pending->line->comm, arrival->from, pending->tag) : empty_packet();
        unpack(pending->name, &arrival->range, packet.header, packet.bytes);
        free_packet(&packet);
        done_with(&arrival->range);
    }
    if (pending->window) flush_window(pending->window, pending->target, 1);
    if (pending->reduction.line && is_good && waits_for(&pending->request)) {
        put_results(&pending->reduction, pending->to, pending->terms);
        end_reduction(&pending->reduction);
    } else if (pending->reduction.line) {
        /* Its memory stays: ours may still be written to it. What the program was given is no value of the copies. */
        uint64_t floats = (uint64_t)pending->terms;
        if (floats) __nonius_exchange_lost(pending->name, floats);
    }
    free(pending->arrivals);
    free(pending);
}

/* The program's call has begun, or failed. */
static int begun(struct pending *pending, int result, const MPI_Request *request) {
    if (!pending) return result;
    if (result != MPI_SUCCESS || (pending->count == 0 && !pending->reduction.line && !pending->window))
        end_pending(pending, result == MPI_SUCCESS);
    else open_account((struct account){.handle = (uintptr_t)*request, .pending = pending, .is_active = 1});
    return result;
}

static int is_inter(MPI_Comm comm) {
    int is_between_groups = 0;
    PMPI_Comm_test_inter(comm, &is_between_groups);
    return is_between_groups;
}

static int ranks_of(MPI_Comm comm) {
    int size = 0;
    if (is_inter(comm)) PMPI_Comm_remote_size(comm, &size);
    else PMPI_Comm_size(comm, &size);
    return size;
}

static int rank_of(MPI_Comm comm) {
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

/* --- what moves ------------------------------------------------------------------------------------------------------ */

static void all_depart(struct pending *pending, const struct side *side, int ranks, int skipped) {
    for (int i = 0; pending && pending->line && i < ranks; i++)
        if (i != skipped) departs(pending, part_of_side(side, i), i);
}

static void all_arrive(struct pending *pending, const struct side *side, int ranks, int skipped) {
    for (int i = 0; pending && i < ranks; i++)
        if (i != skipped) arrives(pending, part_of_side(side, i), i);
}

#define SIDE(at, counts, places, count, type) ((struct side){(char *)(at), counts, places, NULL, count, type, NULL, 0})

WRAP int MPI_Ibcast(void *at, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request) {
    struct pending *pending = begin_pending("MPI_Ibcast", comm);
    int rank = rank_of(comm), ranks = ranks_of(comm), is_between = is_inter(comm);
    for (int i = 0; pending && pending->line && rank == root && i < ranks; i++)
        if (i != rank) departs(pending, range_of(at, count, type), i);
    if (is_between ? root != MPI_ROOT && root != MPI_PROC_NULL : rank != root)
        arrives(pending, range_of(at, count, type), root);
    return begun(pending, PMPI_Ibcast(at, count, type, root, comm, request), request);
}

/* All parts come to the root. Between groups the root is told by MPI_ROOT. */
static void parts_arrive(struct pending *pending, const void *out, const struct side *in, int root, MPI_Comm comm) {
    if (root == MPI_ROOT || (root != MPI_PROC_NULL && rank_of(comm) == root && !is_inter(comm)))
        all_arrive(pending, in, ranks_of(comm), out == MPI_IN_PLACE ? root : -1);
}

WRAP int MPI_Igather(const void *out, int out_count, MPI_Datatype out_type, void *in, int count, MPI_Datatype type, int root,
                     MPI_Comm comm, MPI_Request *request) {
    struct pending *pending = begin_pending("MPI_Igather", comm);
    if (out != MPI_IN_PLACE && pending && pending->line) departs(pending, range_of(out, out_count, out_type), root);
    parts_arrive(pending, out, &SIDE(in, NULL, NULL, count, type), root, comm);
    return begun(pending, PMPI_Igather(out, out_count, out_type, in, count, type, root, comm, request), request);
}

WRAP int MPI_Igatherv(const void *out, int out_count, MPI_Datatype out_type, void *in, const int *counts, const int *places,
                      MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request) {
    struct pending *pending = begin_pending("MPI_Igatherv", comm);
    if (out != MPI_IN_PLACE && pending && pending->line) departs(pending, range_of(out, out_count, out_type), root);
    parts_arrive(pending, out, &SIDE(in, counts, places, 0, type), root, comm);
    return begun(pending, PMPI_Igatherv(out, out_count, out_type, in, counts, places, type, root, comm, request), request);
}

/* The root's parts go to all, and this rank's is given. */
static void parts_depart(struct pending *pending, const struct side *out, void *in, int in_count, MPI_Datatype in_type,
                         int root, MPI_Comm comm) {
    int rank = rank_of(comm), is_root = rank == root && !is_inter(comm);
    if (is_root) all_depart(pending, out, ranks_of(comm), in == MPI_IN_PLACE ? rank : -1);
    if (in != MPI_IN_PLACE && root != MPI_ROOT && root != MPI_PROC_NULL)
        arrives(pending, range_of(in, in_count, in_type), root);
}

WRAP int MPI_Iscatter(const void *out, int count, MPI_Datatype type, void *in, int in_count, MPI_Datatype in_type, int root,
                      MPI_Comm comm, MPI_Request *request) {
    struct pending *pending = begin_pending("MPI_Iscatter", comm);
    parts_depart(pending, &SIDE(out, NULL, NULL, count, type), in, in_count, in_type, root, comm);
    return begun(pending, PMPI_Iscatter(out, count, type, in, in_count, in_type, root, comm, request), request);
}

WRAP int MPI_Iscatterv(const void *out, const int *counts, const int *places, MPI_Datatype type, void *in, int in_count,
                       MPI_Datatype in_type, int root, MPI_Comm comm, MPI_Request *request) {
    struct pending *pending = begin_pending("MPI_Iscatterv", comm);
    parts_depart(pending, &SIDE(out, counts, places, 0, type), in, in_count, in_type, root, comm);
    return begun(pending, PMPI_Iscatterv(out, counts, places, type, in, in_count, in_type, root, comm, request), request);
}

/* This rank's part goes to all, and each of theirs comes. */
static void to_and_from_all(struct pending *pending, const void *out, int out_count, MPI_Datatype out_type,
                            const struct side *in, MPI_Comm comm) {
    int own = out == MPI_IN_PLACE ? rank_of(comm) : -1, ranks = ranks_of(comm);
    for (int i = 0; pending && pending->line && i < ranks; i++)
        if (i != own) departs(pending, own >= 0 ? part_of_side(in, own) : range_of(out, out_count, out_type), i);
    all_arrive(pending, in, ranks, own);
}

WRAP int MPI_Iallgather(const void *out, int out_count, MPI_Datatype out_type, void *in, int count, MPI_Datatype type,
                        MPI_Comm comm, MPI_Request *request) {
    struct pending *pending = begin_pending("MPI_Iallgather", comm);
    to_and_from_all(pending, out, out_count, out_type, &SIDE(in, NULL, NULL, count, type), comm);
    return begun(pending, PMPI_Iallgather(out, out_count, out_type, in, count, type, comm, request), request);
}

WRAP int MPI_Iallgatherv(const void *out, int out_count, MPI_Datatype out_type, void *in, const int *counts,
                         const int *places, MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    struct pending *pending = begin_pending("MPI_Iallgatherv", comm);
    to_and_from_all(pending, out, out_count, out_type, &SIDE(in, counts, places, 0, type), comm);
    return begun(pending, PMPI_Iallgatherv(out, out_count, out_type, in, counts, places, type, comm, request), request);
}

/* A part goes to each, and one comes from each. */
#define ALL_WITH_ALL(name, out_side, in_side, call)                                    \
    struct pending *pending = begin_pending(name, comm);                               \
    struct side to = out_side, from = in_side;                                         \
    int ranks = ranks_of(comm);                                                        \
    all_depart(pending, out == MPI_IN_PLACE ? &from : &to, ranks, -1);                 \
    all_arrive(pending, &from, ranks, -1);                                             \
    return begun(pending, call, request)

WRAP int MPI_Ialltoall(const void *out, int out_count, MPI_Datatype out_type, void *in, int count, MPI_Datatype type,
                       MPI_Comm comm, MPI_Request *request) {
    ALL_WITH_ALL("MPI_Ialltoall", SIDE(out, NULL, NULL, out_count, out_type), SIDE(in, NULL, NULL, count, type),
                 PMPI_Ialltoall(out, out_count, out_type, in, count, type, comm, request));
}

WRAP int MPI_Ialltoallv(const void *out, const int *out_counts, const int *out_places, MPI_Datatype out_type, void *in,
                        const int *counts, const int *places, MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    ALL_WITH_ALL("MPI_Ialltoallv", SIDE(out, out_counts, out_places, 0, out_type), SIDE(in, counts, places, 0, type),
                 PMPI_Ialltoallv(out, out_counts, out_places, out_type, in, counts, places, type, comm, request));
}

WRAP int MPI_Ialltoallw(const void *out, const int *out_counts, const int *out_places, const MPI_Datatype *out_types,
                        void *in, const int *counts, const int *places, const MPI_Datatype *types, MPI_Comm comm,
                        MPI_Request *request) {
    ALL_WITH_ALL("MPI_Ialltoallw",
                 ((struct side){(char *)out, out_counts, out_places, out_types, 0, MPI_DATATYPE_NULL, NULL, 0}),
                 ((struct side){in, counts, places, types, 0, MPI_DATATYPE_NULL, NULL, 0}),
                 PMPI_Ialltoallw(out, out_counts, out_places, out_types, in, counts, places, types, comm, request));
}

/* --- what is reduced --------------------------------------------------------------------------------------------------- */

/* `terms` of the results are this rank's, from `to` on. */
static int reduces(struct pending *pending, int result, const MPI_Request *request, void *to, int elements, int of,
                   MPI_Datatype type) {
    if (!pending) return result;
    pending->to = to;
    struct reduction *reduction = &pending->reduction;
    if (!reduction->line && result == MPI_SUCCESS && elements) restart_results(reduction, to, elements, type);
    if (reduction->line && of > 0) pending->terms = reduction->count / of * elements;
    return begun(pending, result, request);
}

static struct pending *begin_reduced(const char *name, const void *in, const void *out, int count, MPI_Datatype type,
                                     MPI_Op op, MPI_Comm comm) {
    if (!is_on()) return NULL;
    struct pending *pending = begin_pending(name, comm);
    pending->reduction = begin_reduction(name, in == MPI_IN_PLACE ? out : in, count, type, op, comm);
    return pending;
}

#define REDUCED(name, first)                                                                                          \
    WRAP int MPI_##name(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,            \
                        MPI_Request *request) {                                                                       \
        struct pending *pending = begin_reduced("MPI_" #name, in, out, count, type, op, comm);                        \
        int result = PMPI_##name(in, out, count, type, op, comm, request);                                            \
        struct reduction *own = pending && pending->reduction.line ? &pending->reduction : NULL;                      \
        if (own && result == MPI_SUCCESS)                                                                             \
            PMPI_##name(own->in, own->out, own->count, ours.term, own->op, own->line->comm, &pending->request);       \
        return reduces(pending, result, request, out, rank_of(comm) >= first ? count : 0, count, type);               \
    }
REDUCED(Iallreduce, 0)
REDUCED(Iscan, 0)
REDUCED(Iexscan, 1)

WRAP int MPI_Ireduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                     MPI_Request *request) {
    struct pending *pending = begin_reduced("MPI_Ireduce", in, out, count, type, op, comm);
    int result = PMPI_Ireduce(in, out, count, type, op, root, comm, request);
    struct reduction *own = pending && pending->reduction.line ? &pending->reduction : NULL;
    if (own && result == MPI_SUCCESS)
        PMPI_Ireduce(own->in, own->out, own->count, ours.term, own->op, root, own->line->comm, &pending->request);
    int is_root = root == MPI_ROOT || (rank_of(comm) == root && !is_inter(comm));
    return reduces(pending, result, request, out, is_root ? count : 0, count, type);
}

static int ireduce_scatter(const char *name, const void *in, void *out, const int *counts, int count, MPI_Datatype type,
                           MPI_Op op, MPI_Comm comm, MPI_Request *request) {
    int size, total = 0;
    PMPI_Comm_size(comm, &size);
    for (int i = 0; i < size; i++) total += counts ? counts[i] : count;
    struct pending *pending = begin_reduced(name, in, out, total, type, op, comm);
    int result = counts ? PMPI_Ireduce_scatter(in, out, counts, type, op, comm, request)
                        : PMPI_Ireduce_scatter_block(in, out, count, type, op, comm, request);
    if (pending && pending->reduction.line && result == MPI_SUCCESS) {
        /* The counts must stay until ours is through: they lie behind the terms. */
        int each = pending->reduction.count / total;
        size_t terms = (size_t)pending->reduction.count * sizeof(struct term);
        char *room = realloc(pending->reduction.in, terms + (size_t)size * sizeof(int));
        if (!room) abort();
        pending->reduction.in = (struct term *)room;
        int *ours_counts = (int *)(room + terms);
        for (int i = 0; i < size; i++) ours_counts[i] = each * (counts ? counts[i] : count);
        PMPI_Ireduce_scatter(pending->reduction.in, pending->reduction.out, ours_counts, ours.term, pending->reduction.op,
                             pending->reduction.line->comm, &pending->request);
    }
    return reduces(pending, result, request, out, counts ? counts[rank_of(comm)] : count, total, type);
}

WRAP int MPI_Ireduce_scatter(const void *in, void *out, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                             MPI_Request *request) {
    return ireduce_scatter("MPI_Ireduce_scatter", in, out, counts, 0, type, op, comm, request);
}

WRAP int MPI_Ireduce_scatter_block(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                   MPI_Request *request) {
    return ireduce_scatter("MPI_Ireduce_scatter_block", in, out, NULL, count, type, op, comm, request);
}
