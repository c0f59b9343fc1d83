/* Datatypes, taken apart once: which bytes of an element are floats. The result hangs on the datatype as an attribute, so
 * that it goes when the datatype does. */
#include "nonius_mpi.h"

/* Past this many blocks a datatype is left alone: it restarts. */
enum { MOST_BLOCKS = 1 << 22 };

static int layout_key = MPI_KEYVAL_INVALID;
static pthread_mutex_t layout_lock = PTHREAD_MUTEX_INITIALIZER;

static void let_go(struct layout *layout) {
    if (layout && __atomic_sub_fetch(&layout->users, 1, __ATOMIC_ACQ_REL) == 0) {
        free(layout->blocks);
        free(layout);
    }
}

static int forget_layout(MPI_Datatype type, int key, void *layout, void *extra) {
    (void)type, (void)key, (void)extra;
    let_go(layout);
    return MPI_SUCCESS;
}

static size_t width_of(enum kind kind) { return kind == KIND_OTHER || kind == KIND_BYTES ? 1 : (size_t)kind; }

/* A run that continues the one before is joined to it. */
static void add_block(struct layout *layout, MPI_Aint at, size_t count, enum kind kind) {
    if (count == 0 || layout->is_unknown) return;
    if (layout->count > 0) {
        struct block *last = &layout->blocks[layout->count - 1];
        if (last->kind == kind && last->at + (MPI_Aint)(last->count * width_of(kind)) == at) {
            last->count += count;
            return;
        }
    }
    if (layout->count == layout->room) {
        size_t room = layout->room ? 2 * layout->room : 4;
        struct block *blocks = room > MOST_BLOCKS ? NULL : realloc(layout->blocks, room * sizeof *blocks);
        if (!blocks) {
            layout->is_unknown = 1;
            return;
        }
        layout->blocks = blocks;
        layout->room = room;
    }
    layout->blocks[layout->count++] = (struct block){at, count, kind};
}

static void add_layout(struct layout *to, const struct layout *from, MPI_Aint at) {
    if (from->is_unknown) to->is_unknown = 1;
    for (size_t i = 0; i < from->count && !to->is_unknown; i++)
        add_block(to, at + from->blocks[i].at, from->blocks[i].count, from->blocks[i].kind);
}

static void add_times(struct layout *to, const struct layout *from, MPI_Aint at, size_t times) {
    if (from->is_dense && times > 0) {
        const struct block *block = &from->blocks[0];
        add_block(to, at + block->at, block->count * times, block->kind);
        return;
    }
    for (size_t i = 0; i < times && !to->is_unknown; i++) add_layout(to, from, at + (MPI_Aint)i * from->extent);
}

/* Pairs, as MINLOC and MAXLOC have them: the float is first. */
static int add_pair(struct layout *layout, MPI_Datatype type) {
    int size;
    PMPI_Type_size(type, &size);
    if (type == MPI_FLOAT_INT || type == MPI_DOUBLE_INT || type == MPI_LONG_DOUBLE_INT) {
        enum kind kind = type == MPI_FLOAT_INT ? KIND_FLOAT : type == MPI_DOUBLE_INT ? KIND_DOUBLE : KIND_X87;
        add_block(layout, 0, 1, kind);
        add_block(layout, (MPI_Aint)kind, (size_t)size - (size_t)kind, KIND_OTHER);
        return 1;
    }
    return 0;
}

static int is_one_of(MPI_Datatype type, const MPI_Datatype *types, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (type == types[i] && type != MPI_DATATYPE_NULL) return 1;
    return 0;
}

static enum kind kind_of_width(int size) {
    return size == 4 ? KIND_FLOAT : size == 8 ? KIND_DOUBLE : size == 16 ? KIND_X87 : KIND_OTHER;
}

/* The predefined datatypes; everything that is none of these holds no floats. */
static void add_named(struct layout *layout, MPI_Datatype type) {
    const MPI_Datatype real[] = {MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_REAL4,
                                 MPI_REAL8};
    const MPI_Datatype twice[] = {MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX, MPI_COMPLEX,
                                  MPI_DOUBLE_COMPLEX, MPI_COMPLEX8, MPI_COMPLEX16, MPI_CXX_FLOAT_COMPLEX,
                                  MPI_CXX_DOUBLE_COMPLEX, MPI_CXX_LONG_DOUBLE_COMPLEX, MPI_2REAL,
                                  MPI_2DOUBLE_PRECISION};
    const MPI_Datatype bytes[] = {MPI_BYTE, MPI_PACKED, MPI_CHAR, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_INT8_T, MPI_UINT8_T};
    int size = 0;
    PMPI_Type_size(type, &size);
    if (size <= 0 || add_pair(layout, type)) return;
    if (is_one_of(type, real, sizeof real / sizeof *real)) {
        enum kind kind = kind_of_width(size);
        add_block(layout, 0, (size_t)size / width_of(kind), kind);
    } else if (is_one_of(type, twice, sizeof twice / sizeof *twice)) {
        enum kind kind = kind_of_width(size / 2);
        add_block(layout, 0, (size_t)size / width_of(kind), kind);
    } else if (is_one_of(type, bytes, sizeof bytes / sizeof *bytes)) {
        add_block(layout, 0, (size_t)size, KIND_BYTES);
    } else {
        add_block(layout, 0, (size_t)size, KIND_OTHER);
    }
}

static struct layout *layout_of(MPI_Datatype type);

/* The index set of a subarray, row by row of its fastest dimension. */
static void add_subarray(struct layout *to, const struct layout *from, const int *ints) {
    int dims = ints[0], is_fortran = ints[1 + 3 * dims] == MPI_ORDER_FORTRAN;
    const int *sizes = ints + 1, *subsizes = sizes + dims, *starts = subsizes + dims;
    size_t total = 1;
    for (int d = 0; d < dims; d++) total *= (size_t)subsizes[d];
    int fastest = is_fortran ? 0 : dims - 1;
    size_t row = (size_t)subsizes[fastest];
    for (size_t n = 0; row > 0 && n < total / row && !to->is_unknown; n++) {
        size_t rest = n;
        MPI_Aint at = starts[fastest], stride = sizes[fastest];
        for (int k = 1; k < dims; k++) {
            int d = is_fortran ? k : dims - 1 - k;
            at += stride * (MPI_Aint)(starts[d] + (int)(rest % (size_t)subsizes[d]));
            rest /= (size_t)subsizes[d];
            stride *= sizes[d];
        }
        add_times(to, from, at * from->extent, row);
    }
}

/* What a constructor made of `from`, its only datatype. */
static void add_made(struct layout *to, int maker, const struct layout *from, const int *ints, const MPI_Aint *aints) {
    switch (maker) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        add_layout(to, from, 0);
        break;
    case MPI_COMBINER_CONTIGUOUS:
        add_times(to, from, 0, (size_t)ints[0]);
        break;
    case MPI_COMBINER_VECTOR:
        for (int i = 0; i < ints[0]; i++) add_times(to, from, (MPI_Aint)i * ints[2] * from->extent, (size_t)ints[1]);
        break;
    case MPI_COMBINER_HVECTOR:
        for (int i = 0; i < ints[0]; i++) add_times(to, from, (MPI_Aint)i * aints[0], (size_t)ints[1]);
        break;
    case MPI_COMBINER_INDEXED:
        for (int i = 0; i < ints[0]; i++)
            add_times(to, from, (MPI_Aint)ints[1 + ints[0] + i] * from->extent, (size_t)ints[1 + i]);
        break;
    case MPI_COMBINER_HINDEXED:
        for (int i = 0; i < ints[0]; i++) add_times(to, from, aints[i], (size_t)ints[1 + i]);
        break;
    case MPI_COMBINER_INDEXED_BLOCK:
        for (int i = 0; i < ints[0]; i++) add_times(to, from, (MPI_Aint)ints[2 + i] * from->extent, (size_t)ints[1]);
        break;
    case MPI_COMBINER_HINDEXED_BLOCK:
        for (int i = 0; i < ints[0]; i++) add_times(to, from, aints[i], (size_t)ints[1]);
        break;
    case MPI_COMBINER_SUBARRAY:
        add_subarray(to, from, ints);
        break;
    default: /* DARRAY, and what later standards bring */
        to->is_unknown = 1;
    }
}

static void release_type(MPI_Datatype type) {
    int ints, aints, types, maker;
    if (PMPI_Type_get_envelope(type, &ints, &aints, &types, &maker) == MPI_SUCCESS && maker != MPI_COMBINER_NAMED)
        PMPI_Type_free(&type);
}

static void add_derived(struct layout *to, MPI_Datatype type, int ints, int aints, int types, int maker) {
    int *i = calloc((size_t)ints + 1, sizeof *i);
    MPI_Aint *a = calloc((size_t)aints + 1, sizeof *a);
    MPI_Datatype *t = calloc((size_t)types + 1, sizeof *t);
    if (!i || !a || !t || PMPI_Type_get_contents(type, ints, aints, types, i, a, t) != MPI_SUCCESS) {
        to->is_unknown = 1;
    } else if (maker == MPI_COMBINER_STRUCT) {
        for (int n = 0; n < i[0]; n++) {
            struct layout *part = layout_of(t[n]);
            add_times(to, part, a[n], (size_t)i[1 + n]);
            let_go(part);
        }
    } else if (types == 1) {
        struct layout *part = layout_of(t[0]);
        add_made(to, maker, part, i, a);
        let_go(part);
    } else {
        add_named(to, type); /* such as Fortran's parametrized kinds, whose size is all there is to know */
        to->is_unknown = 1;
    }
    for (int n = 0; t && n < types; n++) release_type(t[n]);
    free(i), free(a), free(t);
}

static struct layout *take_apart(MPI_Datatype type) {
    struct layout *layout = calloc(1, sizeof *layout);
    if (!layout) abort();
    int ints, aints, types, maker;
    MPI_Aint low;
    int size = 0;
    if (PMPI_Type_get_envelope(type, &ints, &aints, &types, &maker) != MPI_SUCCESS) {
        layout->is_unknown = 1;
    } else if (maker == MPI_COMBINER_NAMED) {
        add_named(layout, type);
    } else if (maker == MPI_COMBINER_F90_REAL || maker == MPI_COMBINER_F90_COMPLEX) {
        PMPI_Type_size(type, &size);
        enum kind kind = kind_of_width(maker == MPI_COMBINER_F90_REAL ? size : size / 2);
        add_block(layout, 0, (size_t)size / width_of(kind), kind);
    } else if (maker == MPI_COMBINER_F90_INTEGER) {
        add_block(layout, 0, 1, KIND_OTHER);
    } else {
        add_derived(layout, type, ints, aints, types, maker);
    }
    PMPI_Type_get_extent(type, &low, &layout->extent);
    PMPI_Type_get_true_extent(type, &layout->low, &layout->span);
    PMPI_Type_size(type, &size);
    layout->size = size > 0 ? (size_t)size : 0;
    for (size_t n = 0; n < layout->count; n++) {
        const struct block *block = &layout->blocks[n];
        if (block->kind == KIND_BYTES) layout->bytes += block->count;
        else if (block->kind != KIND_OTHER) {
            layout->floats += block->count;
            layout->residue_bytes += block->count * width_of(block->kind);
        }
    }
    if (layout->floats > 0) layout->bytes = 0; /* beside floats, bytes are names and the like: they restart */
    layout->is_dense = layout->count == 1 && layout->blocks[0].at == 0 &&
                       (MPI_Aint)(layout->blocks[0].count * width_of(layout->blocks[0].kind)) == layout->extent;
    return layout;
}

/* The layout, for the caller to let go. */
static struct layout *layout_of(MPI_Datatype type) {
    struct layout *layout = NULL;
    int is_known = 0;
    pthread_mutex_lock(&layout_lock);
    if (layout_key != MPI_KEYVAL_INVALID) PMPI_Type_get_attr(type, layout_key, &layout, &is_known);
    if (is_known) __atomic_add_fetch(&layout->users, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&layout_lock);
    if (is_known) return layout;
    layout = take_apart(type);
    layout->users = 1;
    pthread_mutex_lock(&layout_lock);
    if (layout_key == MPI_KEYVAL_INVALID)
        PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, forget_layout, &layout_key, NULL);
    struct layout *other = NULL;
    PMPI_Type_get_attr(type, layout_key, &other, &is_known);
    if (!is_known) {
        layout->users = 2;
        if (PMPI_Type_set_attr(type, layout_key, layout) != MPI_SUCCESS) layout->users = 1;
    }
    pthread_mutex_unlock(&layout_lock);
    return layout;
}

static struct range range_of(const void *at, long long count, MPI_Datatype type) {
    struct range none = {NULL, 0, NULL, 0};
    if (count <= 0 || type == MPI_DATATYPE_NULL || at == MPI_IN_PLACE) return none;
    return (struct range){(char *)at, (size_t)count, layout_of(type), SIZE_MAX};
}

static void done_with(struct range *range) {
    let_go(range->layout);
    range->layout = NULL;
}
