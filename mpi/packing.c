/* MPI_Pack and MPI_Unpack copy: shadows go along as with any copy, as long as the library packs bytes as they are. Where
 * it does not, the copies differ from the values, and those restart. */
#include "nonius_mpi.h"

struct packing {
    char *at; /* in the packed buffer */
    int is_unpacking;
};

static int pack_run(char *at, size_t count, enum kind kind, void *with) {
    struct packing *packing = with;
    size_t bytes = count * width_of(kind);
    char *from = packing->is_unpacking ? packing->at : at, *to = packing->is_unpacking ? at : packing->at;
    char *planes = room_for(2 * bytes);
    __nonius_exchange_take_bytes(from, bytes, planes);
    __nonius_exchange_put_bytes(to, bytes, planes);
    free(planes);
    packing->at += bytes;
    return 1;
}

static void packs(const char *name, const void *packed, int bytes, const void *at, int count, MPI_Datatype type,
                  int is_unpacking) {
    if (!is_on()) return;
    struct range range = range_of(at, count, type);
    struct packing packing = {(char *)packed, is_unpacking};
    int is_as_it_is = range.layout && !range.layout->is_unknown && (size_t)bytes == range.count * range.layout->size;
    if (is_as_it_is) each_run(&range, pack_run, &packing);
    else if (is_unpacking) restart(name, &range);
    else __nonius_clear((void *)packed, (uint64_t)bytes);
    done_with(&range);
}

WRAP int MPI_Pack(const void *at, int count, MPI_Datatype type, void *packed, int room, int *position, MPI_Comm comm) {
    int before = *position, result = PMPI_Pack(at, count, type, packed, room, position, comm);
    if (result == MPI_SUCCESS) packs("MPI_Pack", (char *)packed + before, *position - before, at, count, type, 0);
    return result;
}

WRAP int MPI_Unpack(const void *packed, int room, int *position, void *at, int count, MPI_Datatype type, MPI_Comm comm) {
    int before = *position, result = PMPI_Unpack(packed, room, position, at, count, type, comm);
    if (result == MPI_SUCCESS) packs("MPI_Unpack", (char *)packed + before, *position - before, at, count, type, 1);
    return result;
}
