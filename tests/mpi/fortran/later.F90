! Collectives that go on: moves, reductions, and a barrier.
#include "common.h"
program later
  USE_MPI
  implicit none
#if !defined(F08) && !defined(MODULE)
  include 'mpif.h'
#endif
  double precision, volatile :: large = 1d16, small = SMALL
  integer :: rank, n, next, previous, ierr
  double precision :: x, y, z, all(4), total
  integer :: counts(4), places(4), i
  HANDLE(MPI_Request) :: requests(4)
  HANDLE(MPI_Datatype) :: types(4)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  next = mod(rank + 1, n)
  previous = mod(rank + n - 1, n)
  counts = 1
  places = [(8 * (i - 1), i = 1, 4)]
  types = MPI_DOUBLE_PRECISION
  x = 0
  if (rank == 0) x = large + small
  y = large + small
  z = y
  call MPI_Ibcast(x, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Iallgather(y, 1, MPI_DOUBLE_PRECISION, all, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Iallreduce(z, total, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, requests(3), ierr)
  call MPI_Ibarrier(MPI_COMM_WORLD, requests(4), ierr)
  call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierr)
  print *, x - large !~ precision-loss: 52..53 bits lost @output
  print *, all(next + 1) - large !~ precision-loss: 52..53 bits lost @output
  print *, total - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Ialltoallw(MPI_IN_PLACE, counts, places, types, all, counts, places, types, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr)
  print *, all(next + 1) - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Finalize(ierr)
end program
