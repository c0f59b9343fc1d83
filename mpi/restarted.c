/* Calls that bring floats without their shadows: what they write restarts, and is counted. */
#include "nonius_mpi.h"

static void restarts(const char *name, const void *at, long long count, MPI_Datatype type) {
    if (!is_on()) return;
    restart_part(name, range_of(at, count, type));
}

/* --- accumulating: what the target comes to is known to nobody but the library ----------------------------------------- */

/* Counted where it leaves: at the target nobody calls anything. */
static void lost_at_target(const char *name, const void *at, int count, MPI_Datatype type, int to) {
    if (!is_on() || to == MPI_PROC_NULL) return;
    struct range range = range_of(at, count, type);
    if (floats_in(&range)) __nonius_exchange_lost(name, floats_in(&range));
    done_with(&range);
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

/* --- files ------------------------------------------------------------------------------------------------ */

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
