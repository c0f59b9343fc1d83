! Reductions: an error that arises in them, one that terms came with, in place, of two numbers, and with an own operation.
! ranks: 2 3
! restarts: MPI_Allreduce
#include "common.h"
module operations
contains
  subroutine sum_of(in, inout, length, datatype)
    USE_MPI
    implicit none
#if !defined(F08) && !defined(MODULE)
    include 'mpif.h'
#endif
    integer :: length
    double precision :: in(length), inout(length)
    HANDLE(MPI_Datatype) :: datatype
    if (datatype /= MPI_DOUBLE_PRECISION) error stop 'of another type'
    inout = in + inout
  end subroutine
end module
program reductions
  USE_MPI
  use operations
  implicit none
#if !defined(F08) && !defined(MODULE)
  include 'mpif.h'
#endif
  double precision, volatile :: large = 1d16, small = SMALL
  integer :: rank, n, next, previous, ierr
  double precision :: term, total, pair(2), best(2), parts(4), part
  integer :: counts(4)
  HANDLE(MPI_Op) :: op
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  next = mod(rank + 1, n)
  previous = mod(rank + n - 1, n)
  term = 0
  if (rank == 0) term = large
  if (rank == 1) term = small
  call MPI_Reduce(term, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print *, total - large !~ precision-loss: 52..53 bits lost @output
  total = term
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  print *, total - large !~ precision-loss: 52..53 bits lost @output
  term = large + small
  call MPI_Scan(term, total, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
  print *, total - large !~ precision-loss: 52..53 bits lost @output
  total = large + small
  call MPI_Exscan(term, total, 1, MPI_DOUBLE_PRECISION, MPI_MIN, MPI_COMM_WORLD, ierr)
  print *, total - large !~ precision-loss: 52..53 bits lost @output
  pair = [large + 4 * rank + small, 1d0 * rank]
  call MPI_Allreduce(pair, best, 1, MPI_2DOUBLE_PRECISION, MPI_MAXLOC, MPI_COMM_WORLD, ierr)
  if (nint(best(2)) /= n - 1) error stop 'the maximum is of another rank'
  print *, best(1) - large - 4 * (n - 1) !~ precision-loss: 52..53 bits lost @output
  parts = large + small
  counts = 1
  call MPI_Reduce_scatter(parts, part, counts, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
  print *, part - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Reduce_scatter_block(parts, part, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
  print *, part - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Op_create(sum_of, .true., op, ierr)
  call MPI_Allreduce(term, total, 1, MPI_DOUBLE_PRECISION, op, MPI_COMM_WORLD, ierr)
  if (total /= n * large) error stop 'the sum is wrong'
  call MPI_Op_free(op, ierr)
  if (op /= MPI_OP_NULL) error stop 'the operation is still there'
  call MPI_Finalize(ierr)
end program
