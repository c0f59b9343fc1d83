! Collectives, with parts of one length and of several, and in place.
! ranks: 2 3
#include "common.h"
program collectives
  USE_MPI
  implicit none
#if !defined(F08) && !defined(MODULE)
  include 'mpif.h'
#endif
  double precision, volatile :: large = 1d16, small = SMALL
  integer :: rank, n, next, previous, ierr
  double precision :: x, all(4), out(4)
  integer :: counts(4), places(4), i
  HANDLE(MPI_Datatype) :: types(4)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  next = mod(rank + 1, n)
  previous = mod(rank + n - 1, n)
  counts = 1
  places = [(i - 1, i = 1, 4)]
  types = MPI_DOUBLE_PRECISION
  x = 0
  if (rank == 0) x = large + small
  call MPI_Bcast(x, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  print *, x - large !~ precision-loss: 52..53 bits lost @output

  x = large + small
  all = 0
  call MPI_Gather(x, 1, MPI_DOUBLE_PRECISION, all, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print *, all(n) - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Gatherv(x, 1, MPI_DOUBLE_PRECISION, out, counts, places, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print *, out(n) - large !~ precision-loss: 52..53 bits lost @output
  x = 0
  call MPI_Scatter(all, 1, MPI_DOUBLE_PRECISION, x, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  print *, x - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Scatterv(out, counts, places, MPI_DOUBLE_PRECISION, x, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  print *, x - large !~ precision-loss: 52..53 bits lost @output

  all = 0
  all(rank + 1) = large + small
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
  print *, all(next + 1) - large !~ precision-loss: 52..53 bits lost @output
  x = large + small
  call MPI_Allgatherv(x, 1, MPI_DOUBLE_PRECISION, out, counts, places, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
  print *, out(next + 1) - large !~ precision-loss: 52..53 bits lost @output

  call MPI_Alltoall(out, 1, MPI_DOUBLE_PRECISION, all, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
  print *, all(next + 1) - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Alltoallv(all, counts, places, MPI_DOUBLE_PRECISION, out, counts, places, MPI_DOUBLE_PRECISION, &
    MPI_COMM_WORLD, ierr)
  print *, out(next + 1) - large !~ precision-loss: 52..53 bits lost @output
  places = 8 * places
  call MPI_Alltoallw(out, counts, places, types, all, counts, places, types, MPI_COMM_WORLD, ierr)
  print *, all(next + 1) - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
