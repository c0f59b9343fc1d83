/* Open MPI's Fortran functions call PMPI themselves, and so go past the carrier. These stand in for those that matter to
 * it, for mpif.h and `mpi` under the names that compilers give them, and for Open MPI's own `mpi_f08` under the name that
 * it calls. MPICH's call MPI, and need nothing. */
#include "nonius_mpi.h"

#ifdef OMPI_MAJOR_VERSION

extern int mpi_fortran_bottom_, mpi_fortran_in_place_, mpi_fortran_unweighted_, mpi_fortran_weights_empty_;
extern int mpi_fortran_status_ignore_[], mpi_fortran_statuses_ignore_[];

static void *choice_of(char *at) {
    if (at == (char *)&mpi_fortran_bottom_) return MPI_BOTTOM;
    if (at == (char *)&mpi_fortran_in_place_) return MPI_IN_PLACE;
    return at;
}

static int *weights_of(int *at) {
    if (at == &mpi_fortran_unweighted_) return MPI_UNWEIGHTED;
    if (at == &mpi_fortran_weights_empty_) return MPI_WEIGHTS_EMPTY;
    return at;
}

/* A status is as many integers as Fortran has for it. */
static MPI_Status *status_of(int *at) {
    return at == mpi_fortran_status_ignore_ ? MPI_STATUS_IGNORE : (MPI_Status *)at;
}

static MPI_Status *statuses_of(int *at) {
    return at == mpi_fortran_statuses_ignore_ ? MPI_STATUSES_IGNORE : (MPI_Status *)at;
}

/* Indices start at 1 there. */
static void to_fortran(int *indices, int count) {
    for (int i = 0; i < count; i++) /* a count that is MPI_UNDEFINED is negative */
        if (indices[i] != MPI_UNDEFINED) indices[i]++;
}

static int peers(MPI_Comm comm) {
    int count, is_between_groups;
    PMPI_Comm_test_inter(comm, &is_between_groups);
    if (is_between_groups) PMPI_Comm_remote_size(comm, &count);
    else PMPI_Comm_size(comm, &count);
    return count;
}

static int senders(char *sendbuf, MPI_Comm comm) { return choice_of(sendbuf) == MPI_IN_PLACE ? 0 : peers(comm); }

static int sources(MPI_Comm comm) {
    struct neighbours all = neighbours_of(comm);
    free(all.from), free(all.to);
    return all.from_count;
}

static int targets(MPI_Comm comm) {
    struct neighbours all = neighbours_of(comm);
    free(all.from), free(all.to);
    return all.to_count;
}

#define MPI_Datatype_f2c MPI_Type_f2c
#define MPI_Datatype_c2f MPI_Type_c2f

#define STAND_IN(name, parameters)                                                                          \
    static void stand_in_##name parameters;                                                                 \
    __attribute__((alias("stand_in_" #name))) WRAP void ompi_##name##_f parameters;                         \
    __attribute__((alias("stand_in_" #name))) WRAP void mpi_##name##_ parameters;                           \
    static void stand_in_##name parameters

#include "stand_ins.c"

#endif
