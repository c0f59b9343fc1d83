! Point to point: blocking, nonblocking, any source, probes, a section of an array, character data beside it.
#include "common.h"
program points
  USE_MPI
  implicit none
#if !defined(F08) && !defined(MODULE)
  include 'mpif.h'
#endif
  double precision, volatile :: large = 1d16, small = SMALL
  integer :: rank, n, next, previous, ierr
  double precision :: a(3), got(5), matrix(4, 4)
  integer :: count
  logical :: flag
  character(len=8) :: word = 'a word', other
  HANDLE(MPI_Request) :: requests(2)
  HANDLE(MPI_Message) :: message
  STATUS_OF(status)
  STATUSES_OF(statuses, 2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  next = mod(rank + 1, n)
  previous = mod(rank + n - 1, n)
  a = [large + small, large, 4 * large + 4 * small]
  call MPI_Isend(a, 3, MPI_DOUBLE_PRECISION, next, 7, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
  if (SOURCE(status) /= previous .or. TAG(status) /= 7) error stop 'the status is of another message'
  call MPI_Recv(got, 5, MPI_DOUBLE_PRECISION, SOURCE(status), 7, MPI_COMM_WORLD, status, ierr)
  call MPI_Get_count(status, MPI_DOUBLE_PRECISION, count, ierr)
  if (count /= 3) error stop 'the count is wrong'
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr)
  if (requests(1) /= MPI_REQUEST_NULL) error stop 'the request is still there'
  print *, got(1) - large !~ precision-loss: 52..53 bits lost @output
  print *, got(2) - large
  print *, got(3) - 4 * large !~ precision-loss: 51..53 bits lost @output

  matrix = 0
  matrix(2, :) = large + small
  call MPI_Irecv(got, 4, MPI_DOUBLE_PRECISION, previous, 8, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(word, 8, MPI_CHARACTER, next, 9, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Send(matrix(2, :), 4, MPI_DOUBLE_PRECISION, next, 8, MPI_COMM_WORLD, ierr)
  call MPI_Mprobe(previous, 9, MPI_COMM_WORLD, message, status, ierr)
  call MPI_Mrecv(other, 8, MPI_CHARACTER, message, status, ierr)
  call MPI_Waitall(2, requests, statuses, ierr)
  if (other /= word) error stop 'another word came'
  print *, got(4) - large !~ precision-loss: 52..53 bits lost @output

  a(1) = large + small
  call MPI_Sendrecv_replace(a, 1, MPI_DOUBLE_PRECISION, next, 3, previous, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  print *, a(1) - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Recv(a, 1, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 3, MPI_COMM_WORLD, status, ierr)
  call MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, flag, status, ierr)
  if (flag) error stop 'something is left'
  call MPI_Finalize(ierr)
end program
