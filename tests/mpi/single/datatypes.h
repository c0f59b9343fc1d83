/* Datatypes, as runs of bytes in the order of their type maps. Shadows go with bytes that are copied. */

enum number { NO_NUMBER, FLOAT_NUMBER, DOUBLE_NUMBER, INT_NUMBER, COMPLEX_NUMBER, DOUBLE_INT_NUMBER };

struct datatype {
    int count;
    struct {
        MPI_Aint at;
        int bytes;
    } *runs;
    MPI_Aint extent;
    int size;
    enum number number;
};

#define BASIC(name, of, kind)                                                                              \
    static struct datatype name##_type = {1, (void *)&(struct { MPI_Aint at; int bytes; }){0, sizeof(of)}, \
                                          sizeof(of), sizeof(of), kind};
struct double_int {
    double value;
    int place;
};
BASIC(double, double, DOUBLE_NUMBER)
BASIC(float, float, FLOAT_NUMBER)
BASIC(int, int, INT_NUMBER)
BASIC(byte, char, NO_NUMBER)
BASIC(complex, double _Complex, COMPLEX_NUMBER)
BASIC(double_int, struct double_int, DOUBLE_INT_NUMBER)
#define MPI_DOUBLE (&double_type)
#define MPI_FLOAT (&float_type)
#define MPI_INT (&int_type)
#define MPI_BYTE (&byte_type)
#define MPI_CHAR (&byte_type)
#define MPI_PACKED (&byte_type)
#define MPI_C_DOUBLE_COMPLEX (&complex_type)
#define MPI_DOUBLE_INT (&double_int_type)

static int bytes_of(int count, MPI_Datatype type) { return type ? count * type->size : 0; }

static int is_dense(MPI_Datatype type) { return type && type->count == 1 && type->runs[0].bytes == type->extent; }

/* Copies elements one after the other to `to`; bytes side by side at once, as they may be parts of floats. */
static char *pack(const void *from, int count, MPI_Datatype type, char *to) {
    if (is_dense(type)) return (char *)memcpy(to, from, (size_t)(count * type->size)) + count * type->size;
    for (int i = 0; type && i < count; i++)
        for (int r = 0; r < type->count; r++) {
            memcpy(to, (const char *)from + i * type->extent + type->runs[r].at, (size_t)type->runs[r].bytes);
            to += type->runs[r].bytes;
        }
    return to;
}

/* And back, as far as `bytes` go. */
static const char *unpack(const char *from, int bytes, void *to, int count, MPI_Datatype type) {
    if (is_dense(type)) {
        int n = bytes < count * type->size ? bytes : count * type->size;
        return memcpy(to, from, (size_t)n), from + n;
    }
    for (int i = 0; type && i < count; i++)
        for (int r = 0; r < type->count && bytes > 0; r++) {
            int n = type->runs[r].bytes < bytes ? type->runs[r].bytes : bytes;
            memcpy((char *)to + i * type->extent + type->runs[r].at, from, (size_t)n);
            from += n, bytes -= n;
        }
    return from;
}

static void *packed(const void *from, int count, MPI_Datatype type) {
    char *room = malloc((size_t)bytes_of(count, type) + 1);
    pack(from, count, type, room);
    return room;
}

/* Elements of one type from here on. */
static void add_elements(MPI_Datatype made, MPI_Aint at, int count, MPI_Datatype type) {
    made->runs = realloc(made->runs, sizeof *made->runs * (size_t)(made->count + count * type->count));
    for (int i = 0; i < count; i++)
        for (int r = 0; r < type->count; r++) {
            made->runs[made->count] = type->runs[r];
            made->runs[made->count++].at += at + i * type->extent;
        }
    made->size += count * type->size;
    if (at + count * type->extent > made->extent) made->extent = at + count * type->extent;
}

static MPI_Datatype new_type(MPI_Datatype *made) { return *made = calloc(1, sizeof **made); }

static int MPI_Type_create_struct(int n, const int *counts, const MPI_Aint *places, const MPI_Datatype *types,
                                  MPI_Datatype *made) {
    new_type(made);
    for (int i = 0; i < n; i++) add_elements(*made, places[i], counts[i], types[i]);
    return MPI_SUCCESS;
}

static int MPI_Type_create_hindexed(int n, const int *counts, const MPI_Aint *places, MPI_Datatype type, MPI_Datatype *made) {
    new_type(made);
    for (int i = 0; i < n; i++) add_elements(*made, places[i], counts[i], type);
    return MPI_SUCCESS;
}

static int MPI_Type_indexed(int n, const int *counts, const int *places, MPI_Datatype type, MPI_Datatype *made) {
    new_type(made);
    for (int i = 0; i < n; i++) add_elements(*made, places[i] * type->extent, counts[i], type);
    return MPI_SUCCESS;
}

static int MPI_Type_create_indexed_block(int n, int count, const int *places, MPI_Datatype type, MPI_Datatype *made) {
    new_type(made);
    for (int i = 0; i < n; i++) add_elements(*made, places[i] * type->extent, count, type);
    return MPI_SUCCESS;
}

static int MPI_Type_vector(int n, int count, int stride, MPI_Datatype type, MPI_Datatype *made) {
    new_type(made);
    for (int i = 0; i < n; i++) add_elements(*made, i * stride * type->extent, count, type);
    return MPI_SUCCESS;
}

static int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype *made) {
    return add_elements(new_type(made), 0, count, type), MPI_SUCCESS;
}

static int MPI_Type_create_resized(MPI_Datatype type, MPI_Aint low, MPI_Aint extent, MPI_Datatype *made) {
    add_elements(new_type(made), 0, 1, type);
    return (*made)->extent = extent, MPI_SUCCESS;
}

/* Of two dimensions. */
static int MPI_Type_create_subarray(int dims, const int *sizes, const int *parts, const int *starts, int order,
                                    MPI_Datatype type, MPI_Datatype *made) {
    int slow = order == MPI_ORDER_C ? 0 : 1, fast = 1 - slow;
    if (dims != 2) abort();
    new_type(made);
    for (int i = 0; i < parts[slow]; i++)
        add_elements(*made, ((starts[slow] + i) * sizes[fast] + starts[fast]) * type->extent, parts[fast], type);
    return (*made)->extent = sizes[0] * sizes[1] * type->extent, MPI_SUCCESS;
}

static int MPI_Type_commit(MPI_Datatype *type) { return MPI_SUCCESS; }
static int MPI_Type_free(MPI_Datatype *type) { return *type = MPI_DATATYPE_NULL, MPI_SUCCESS; }
static int MPI_Get_address(const void *at, MPI_Aint *address) { return *address = (MPI_Aint)at, MPI_SUCCESS; }

static int MPI_Pack(const void *at, int count, MPI_Datatype type, void *to, int room, int *position, MPI_Comm comm) {
    *position = (int)(pack(at, count, type, (char *)to + *position) - (char *)to);
    return MPI_SUCCESS;
}

static int MPI_Unpack(const void *from, int room, int *position, void *at, int count, MPI_Datatype type, MPI_Comm comm) {
    *position = (int)(unpack((const char *)from + *position, bytes_of(count, type), at, count, type) - (const char *)from);
    return MPI_SUCCESS;
}
