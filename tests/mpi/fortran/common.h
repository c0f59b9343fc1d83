! What the programs share. Each is built with mpif.h, with the module mpi, and with mpi_f08 (F08). A term of 1 is absorbed
! by 1e16, and missed where 1e16 is subtracted; with STABLE there is no such term.
#ifdef STABLE
#define SMALL 0d0
#else
#define SMALL 1d0
#endif
#ifdef F08
#define HANDLE(of) type(of)
#define STATUS_OF(name) type(MPI_Status) :: name
#define STATUSES_OF(name, n) type(MPI_Status) :: name(n)
#define SOURCE(status) status%MPI_SOURCE
#define TAG(status) status%MPI_TAG
#else
#define HANDLE(of) integer
#define STATUS_OF(name) integer :: name(MPI_STATUS_SIZE)
#define STATUSES_OF(name, n) integer :: name(MPI_STATUS_SIZE, n)
#define SOURCE(status) status(MPI_SOURCE)
#define TAG(status) status(MPI_TAG)
#endif
#if defined(F08)
#define USE_MPI use mpi_f08
#elif defined(MODULE)
#define USE_MPI use mpi
#else
#define USE_MPI
#endif
