! Windows: on memory of the program's, and on the library's; fences, locks, and requests.
! ranks: 2 3
#include "common.h"
program windows
  use, intrinsic :: iso_c_binding
  USE_MPI
  implicit none
#if !defined(F08) && !defined(MODULE)
  include 'mpif.h'
#endif
  double precision, volatile :: large = 1d16, small = SMALL
  integer :: rank, n, next, previous, ierr
  double precision :: memory(2), got, sent
  double precision, pointer :: own(:)
  integer(MPI_ADDRESS_KIND) :: place
  type(c_ptr) :: base
  HANDLE(MPI_Win) :: window
  HANDLE(MPI_Request) :: request
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  next = mod(rank + 1, n)
  previous = mod(rank + n - 1, n)
  memory = [large + small, 0d0]
  sent = 2 * large + 2 * small
  place = 16
  call MPI_Win_create(memory, place, 8, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierr)
  call MPI_Win_fence(0, window, ierr)
  place = 0
  call MPI_Get(got, 1, MPI_DOUBLE_PRECISION, next, place, 1, MPI_DOUBLE_PRECISION, window, ierr)
  place = 1
  call MPI_Put(sent, 1, MPI_DOUBLE_PRECISION, next, place, 1, MPI_DOUBLE_PRECISION, window, ierr)
  call MPI_Win_fence(0, window, ierr)
  print *, got - large !~ precision-loss: 52..53 bits lost @output
  print *, memory(2) - 2 * large !~ precision-loss: 52..53 bits lost @output
  call MPI_Win_free(window, ierr)
  if (window /= MPI_WIN_NULL) error stop 'the window is still there'

  place = 16
  call MPI_Win_allocate(place, 8, MPI_INFO_NULL, MPI_COMM_WORLD, base, window, ierr)
  call c_f_pointer(base, own, [2])
  call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window, ierr)
  own = [large + small, large]
  call MPI_Win_unlock(rank, window, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Win_lock_all(0, window, ierr)
  place = 0
  call MPI_Rget(got, 1, MPI_DOUBLE_PRECISION, next, place, 1, MPI_DOUBLE_PRECISION, window, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Win_unlock_all(window, ierr)
  print *, got - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Win_free(window, ierr)
  call MPI_Finalize(ierr)
end program
