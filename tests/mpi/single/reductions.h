/* Reductions: each rank takes the terms of all, and reduces those that it needs. */

struct op {
    enum { SUM, PROD, MIN, MAX, MINLOC, MAXLOC } what;
};
static struct op op_sum = {SUM}, op_prod = {PROD}, op_min = {MIN}, op_max = {MAX}, op_minloc = {MINLOC}, op_maxloc = {MAXLOC};
#define MPI_SUM (&op_sum)
#define MPI_PROD (&op_prod)
#define MPI_MIN (&op_min)
#define MPI_MAX (&op_max)
#define MPI_MINLOC (&op_minloc)
#define MPI_MAXLOC (&op_maxloc)

#define REDUCE_NUMBERS(of)                                                                               \
    for (int i = 0; i < count; i++) {                                                                    \
        of *a = (of *)into + i, b = ((const of *)terms)[i];                                              \
        if (op->what == SUM) *a = *a + b;                                                                \
        else if (op->what == PROD) *a = *a * b;                                                          \
        else if (op->what == MIN ? b < *a : b > *a) *a = b;                                              \
    }

static void reduce_one(void *into, const void *terms, int count, MPI_Datatype type, MPI_Op op) {
    if (type->number == DOUBLE_NUMBER) {
        REDUCE_NUMBERS(double)
    } else if (type->number == FLOAT_NUMBER) {
        REDUCE_NUMBERS(float)
    } else if (type->number == INT_NUMBER) {
        REDUCE_NUMBERS(int)
    } else if (type->number == COMPLEX_NUMBER) {
        for (int i = 0; i < count; i++) ((double _Complex *)into)[i] += ((const double _Complex *)terms)[i];
    } else {
        for (int i = 0; i < count; i++) {
            struct double_int *a = (struct double_int *)into + i;
            const struct double_int *b = (const struct double_int *)terms + i;
            if (op->what == MINLOC ? b->value < a->value : b->value > a->value) *a = *b;
        }
    }
}

/* Of the ranks from `first` to before `end`, `count` elements from `offset` on; null if there are none. By halves, as
 * libraries do it. */
static char *reduced(void **all, int first, int end, int offset, int count, MPI_Datatype type, MPI_Op op) {
    if (end <= first) return NULL;
    if (end - first == 1) return packed((const char *)all[first] + offset * type->extent, count, type);
    int middle = first + (end - first + 1) / 2;
    char *sum = reduced(all, first, middle, offset, count, type, op);
    char *rest = reduced(all, middle, end, offset, count, type, op);
    reduce_one(sum, rest, count, type, op);
    return free(rest), sum;
}

static int reduce(const void *in, void *out, int first, int end, int offset, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
    void **all = meet(comm, in == MPI_IN_PLACE ? out : (void *)in);
    char *sum = reduced(all, first, end, offset, count, type, op);
    part(comm);
    if (sum) unpack(sum, bytes_of(count, type), out, count, type);
    free(sum);
    return part(comm), MPI_SUCCESS;
}

static int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return reduce(in, out, 0, comm->size, 0, count, type, op, comm);
}

static int MPI_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    return reduce(in, out, 0, rank_in(comm) == root ? comm->size : 0, 0, count, type, op, comm);
}

static int MPI_Scan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return reduce(in, out, 0, rank_in(comm) + 1, 0, count, type, op, comm);
}

static int MPI_Exscan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return reduce(in, out, 0, rank_in(comm), 0, count, type, op, comm);
}

static int MPI_Reduce_scatter(const void *in, void *out, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    int offset = 0, me = rank_in(comm);
    for (int i = 0; i < me; i++) offset += counts[i];
    return reduce(in, out, 0, comm->size, offset, counts[me], type, op, comm);
}

static int MPI_Reduce_scatter_block(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return reduce(in, out, 0, comm->size, rank_in(comm) * count, count, type, op, comm);
}

#define MPI_Iallreduce(a, b, c, d, e, comm, request) (MPI_Allreduce(a, b, c, d, e, comm), begun(request))
#define MPI_Ireduce(a, b, c, d, e, root, comm, request) (MPI_Reduce(a, b, c, d, e, root, comm), begun(request))
#define MPI_Iscan(a, b, c, d, e, comm, request) (MPI_Scan(a, b, c, d, e, comm), begun(request))
#define MPI_Ireduce_scatter_block(a, b, c, d, e, comm, request) \
    (MPI_Reduce_scatter_block(a, b, c, d, e, comm), begun(request))
