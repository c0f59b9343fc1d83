/* Reductions. The program's own call is made as it came: its bits are the program's. Then the ideal comes of a second one
 * on the companion, over pairs of value and residue: sums and products as double-doubles, MIN and MAX by the values, so
 * that the winner's residue comes along. Operations of the program's own restart, and so do formats wider than a double. */
#include "nonius_mpi.h"

#include <math.h>

/* Of a value and its residue; of a place too, for MINLOC and MAXLOC. */
struct term {
    double high, low, place;
};

static struct term normal(double high, double low) {
    double sum = high + low, part = sum - high;
    double rest = (high - (sum - part)) + (low - part);
    return isfinite(sum) ? (struct term){sum, rest, 0} : (struct term){high, 0, 0};
}

static struct term sum_of(struct term a, struct term b) {
    double high = a.high + b.high, part = high - a.high;
    double rest = (a.high - (high - part)) + (b.high - part);
    return isfinite(high) ? normal(high, rest + (a.low + b.low)) : (struct term){high, 0, 0};
}

static struct term product_of(struct term a, struct term b) {
    double high = a.high * b.high, rest = fma(a.high, b.high, -high);
    return isfinite(high) ? normal(high, rest + (a.high * b.low + a.low * b.high)) : (struct term){high, 0, 0};
}

/* Of equal values the one whose ideal goes further; of equal values in MINLOC and MAXLOC the lower place. */
static struct term greater_of(struct term a, struct term b) {
    return a.high > b.high || (a.high == b.high && a.low >= b.low) ? a : b;
}

static struct term less_of(struct term a, struct term b) {
    return a.high < b.high || (a.high == b.high && a.low <= b.low) ? a : b;
}

static struct term greater_at(struct term a, struct term b) {
    return a.high > b.high || (a.high == b.high && a.place <= b.place) ? a : b;
}

static struct term less_at(struct term a, struct term b) {
    return a.high < b.high || (a.high == b.high && a.place <= b.place) ? a : b;
}

#define COMBINE(name, of)                                                          \
    static void name(void *in, void *inout, int *count, MPI_Datatype *type) {      \
        (void)type;                                                                \
        struct term *a = in, *b = inout;                                           \
        for (int i = 0; i < *count; i++) b[i] = of(a[i], b[i]);                    \
    }
COMBINE(combine_sums, sum_of)
COMBINE(combine_products, product_of)
COMBINE(combine_greater, greater_of)
COMBINE(combine_less, less_of)
COMBINE(combine_greater_at, greater_at)
COMBINE(combine_less_at, less_at)

static struct {
    MPI_Datatype term;
    MPI_Op sum, product, max, min, max_at, min_at;
} ours;

static void make_operations(void) {
    PMPI_Type_contiguous(3, MPI_DOUBLE, &ours.term);
    PMPI_Type_commit(&ours.term);
    PMPI_Op_create(combine_sums, 1, &ours.sum);
    PMPI_Op_create(combine_products, 1, &ours.product);
    PMPI_Op_create(combine_greater, 1, &ours.max);
    PMPI_Op_create(combine_less, 1, &ours.min);
    PMPI_Op_create(combine_greater_at, 1, &ours.max_at);
    PMPI_Op_create(combine_less_at, 1, &ours.min_at);
}

/* A reduction to be made on the companion. All ranks come to the same one: they have the same datatype and operation. */
struct reduction {
    struct line *line; /* null: none is made */
    const char *name;
    MPI_Op op;
    int is_exact; /* the winner is a value, and nothing is computed */
    int count;    /* terms */
    enum kind kind;
    MPI_Aint stride; /* from float to float */
    int has_places, place_is_float;
    struct term *in, *out;
};

static MPI_Op op_for(MPI_Op op, int has_places) {
    if (has_places) return op == MPI_MAXLOC ? ours.max_at : op == MPI_MINLOC ? ours.min_at : MPI_OP_NULL;
    return op == MPI_SUM ? ours.sum : op == MPI_PROD ? ours.product : op == MPI_MAX ? ours.max
           : op == MPI_MIN ? ours.min : MPI_OP_NULL;
}

static double float_at(const char *at, enum kind kind) {
    float narrow;
    double wide;
    memcpy(&narrow, at, sizeof narrow);
    if (kind == KIND_FLOAT) return narrow;
    memcpy(&wide, at, sizeof wide);
    return wide;
}

static double place_at(const char *at, const struct reduction *reduction) {
    int place;
    if (reduction->place_is_float) return float_at(at + width_of(reduction->kind), reduction->kind);
    memcpy(&place, at + width_of(reduction->kind), sizeof place);
    return place;
}

static struct term term_at(const char *at, const struct reduction *reduction) {
    struct term term = {float_at(at, reduction->kind), 0, 0};
    char residue[8];
    if (__nonius_exchange_take(at, (uint32_t)reduction->kind, 1, residue)) term.low = float_at(residue, reduction->kind);
    if (reduction->has_places) term.place = place_at(at, reduction);
    return term;
}

/* How a datatype is reduced, if it can be. */
static void shape(struct reduction *reduction, const struct layout *layout, MPI_Op op, MPI_Datatype type, int count) {
    int is_pair = type == MPI_FLOAT_INT || type == MPI_DOUBLE_INT;
    int is_float_pair = op == MPI_MAXLOC || op == MPI_MINLOC ? !is_pair && layout->floats == 2 : 0;
    if (layout->is_unknown || layout->count == 0) return;
    reduction->kind = layout->blocks[0].kind;
    reduction->has_places = is_pair || is_float_pair;
    reduction->place_is_float = is_float_pair;
    if (reduction->kind != KIND_FLOAT && reduction->kind != KIND_DOUBLE) return;
    if (!reduction->has_places && (!layout->is_dense || (layout->floats > 1 && op != MPI_SUM))) return;
    size_t each = reduction->has_places ? 1 : layout->floats;
    if ((size_t)count * each > INT_MAX) return;
    reduction->count = (int)((size_t)count * each);
    reduction->stride = reduction->has_places ? layout->extent : (MPI_Aint)width_of(reduction->kind);
    reduction->is_exact = op != MPI_SUM && op != MPI_PROD;
    reduction->op = op_for(op, reduction->has_places);
}

/* Before the program's own call: what this rank gives. */
static struct reduction begin_reduction(const char *name, const void *in, int count, MPI_Datatype type, MPI_Op op,
                                        MPI_Comm comm) {
    struct reduction reduction = {NULL, name, MPI_OP_NULL, 0, 0, KIND_OTHER, 0, 0, 0, NULL, NULL};
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct line *line = is_on() && count > 0 ? line_within(comm) : NULL;
    if (!line) return reduction;
    pthread_once(&once, make_operations);
    struct layout *layout = layout_of(type);
    if (layout->floats) shape(&reduction, layout, op, type, count);
    let_go(layout);
    if (reduction.op == MPI_OP_NULL) return reduction;
    reduction.line = line;
    reduction.in = room_for((size_t)reduction.count * sizeof(struct term));
    reduction.out = room_for((size_t)reduction.count * sizeof(struct term));
    for (int i = 0; i < reduction.count; i++)
        reduction.in[i] = term_at((const char *)in + i * reduction.stride, &reduction);
    return reduction;
}

/* After it: the residues of the first `count` elements that it gave. */
static void put_results(const struct reduction *reduction, void *to, int terms) {
    for (int i = 0; i < terms; i++) {
        char *at = (char *)to + i * reduction->stride;
        double actual = float_at(at, reduction->kind), residue;
        const struct term *term = &reduction->out[i];
        if (reduction->is_exact) residue = term->high == actual ? term->low : 0;
        else residue = isfinite(actual) && isfinite(term->high) ? (term->high - actual) + term->low : 0;
        float narrow = (float)residue;
        __nonius_exchange_put(at, (uint32_t)reduction->kind, 1,
                              reduction->kind == KIND_FLOAT ? (void *)&narrow : (void *)&residue);
        if (reduction->has_places && reduction->place_is_float)
            __nonius_clear(at + width_of(reduction->kind), width_of(reduction->kind));
    }
}

static void end_reduction(struct reduction *reduction) { free(reduction->in), free(reduction->out); }

/* Where no ideal is computed, what was written restarts. */
static void restart_results(const struct reduction *reduction, void *to, int count, MPI_Datatype type) {
    if (!is_on() || reduction->line) return;
    restart_part(reduction->name, range_of(to, count, type));
}

WRAP int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    struct reduction reduction =
        begin_reduction("MPI_Allreduce", in == MPI_IN_PLACE ? out : in, count, type, op, comm);
    int result = PMPI_Allreduce(in, out, count, type, op, comm);
    if (reduction.line && result == MPI_SUCCESS) {
        PMPI_Allreduce(reduction.in, reduction.out, reduction.count, ours.term, reduction.op, reduction.line->comm);
        put_results(&reduction, out, reduction.count);
    } else if (result == MPI_SUCCESS) {
        restart_results(&reduction, out, count, type);
    }
    end_reduction(&reduction);
    return result;
}

WRAP int MPI_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    int rank;
    struct reduction reduction = begin_reduction("MPI_Reduce", in == MPI_IN_PLACE ? out : in, count, type, op, comm);
    int result = PMPI_Reduce(in, out, count, type, op, root, comm);
    PMPI_Comm_rank(comm, &rank);
    if (reduction.line && result == MPI_SUCCESS) {
        PMPI_Reduce(reduction.in, reduction.out, reduction.count, ours.term, reduction.op, root, reduction.line->comm);
        if (rank == root) put_results(&reduction, out, reduction.count);
    } else if (result == MPI_SUCCESS && (rank == root || root == MPI_ROOT)) {
        restart_results(&reduction, out, count, type);
    }
    end_reduction(&reduction);
    return result;
}

#define PREFIX(name, first)                                                                                              \
    WRAP int MPI_##name(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {             \
        int rank;                                                                                                        \
        struct reduction reduction =                                                                                     \
            begin_reduction("MPI_" #name, in == MPI_IN_PLACE ? out : in, count, type, op, comm);                         \
        int result = PMPI_##name(in, out, count, type, op, comm);                                                        \
        PMPI_Comm_rank(comm, &rank);                                                                                     \
        if (reduction.line && result == MPI_SUCCESS) {                                                                   \
            PMPI_##name(reduction.in, reduction.out, reduction.count, ours.term, reduction.op, reduction.line->comm);    \
            if (rank >= first) put_results(&reduction, out, reduction.count);                                            \
        } else if (result == MPI_SUCCESS && rank >= first) {                                                             \
            restart_results(&reduction, out, count, type);                                                               \
        }                                                                                                                \
        end_reduction(&reduction);                                                                                       \
        return result;                                                                                                   \
    }
PREFIX(Scan, 0)
PREFIX(Exscan, 1) /* the first rank has nothing before it, and its memory is left alone */

static int reduce_scatter(const char *name, const void *in, void *out, const int *counts, int count, MPI_Datatype type,
                          MPI_Op op, MPI_Comm comm) {
    int rank, size, total = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    for (int i = 0; i < size; i++) total += counts ? counts[i] : count;
    struct reduction reduction = begin_reduction(name, in == MPI_IN_PLACE ? out : in, total, type, op, comm);
    int result = counts ? PMPI_Reduce_scatter(in, out, counts, type, op, comm)
                        : PMPI_Reduce_scatter_block(in, out, count, type, op, comm);
    int own = counts ? counts[rank] : count, each = total > 0 ? reduction.count / total : 0;
    if (reduction.line && result == MPI_SUCCESS) {
        int *terms = room_for((size_t)size * sizeof *terms);
        for (int i = 0; i < size; i++) terms[i] = each * (counts ? counts[i] : count);
        PMPI_Reduce_scatter(reduction.in, reduction.out, terms, ours.term, reduction.op, reduction.line->comm);
        put_results(&reduction, out, each * own);
        free(terms);
    } else if (result == MPI_SUCCESS) {
        restart_results(&reduction, out, own, type);
    }
    end_reduction(&reduction);
    return result;
}

WRAP int MPI_Reduce_scatter(const void *in, void *out, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return reduce_scatter("MPI_Reduce_scatter", in, out, counts, 0, type, op, comm);
}

WRAP int MPI_Reduce_scatter_block(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return reduce_scatter("MPI_Reduce_scatter_block", in, out, NULL, count, type, op, comm);
}
