// What the programs share. A term of 1 is absorbed by 1e16: `made()` is off by 1 and does not show it, until a receiver
// subtracts 1e16. With STABLE there is no such term. Values are told apart by a factor, a power of two.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile double large = 1e16;
#ifdef STABLE
static volatile double small = 0.0;
#else
static volatile double small = 1.0;
#endif

#ifndef PER_RANK
#define PER_RANK
#endif
static PER_RANK int rank, size, next, previous;

static inline double made(int power) { return ldexp(large, power) + ldexp(small, power); }
static inline float made_float(void) { return (float)1e8 + (float)small; }

static inline void begin(int *argc, char ***argv) {
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
}
