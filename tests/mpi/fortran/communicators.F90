! Communicators: duplicates, halves, groups, a grid and its rows; attributes, names, error handlers, sizes, the clock.
! restarts: mpi_wtick_ mpi_wtime_
#include "common.h"
program communicators
  USE_MPI
  implicit none
#if !defined(F08) && !defined(MODULE)
  include 'mpif.h'
#endif
  double precision, volatile :: large = 1d16, small = SMALL
  integer :: rank, n, next, previous, ierr
  double precision :: x, got, since
  integer :: length, class, bytes, dims(2), coords(2), from, to, code, key
  logical :: flag, periods(2)
  integer(MPI_ADDRESS_KIND) :: value
  character(len=MPI_MAX_OBJECT_NAME) :: name
  character(len=MPI_MAX_ERROR_STRING) :: text
  HANDLE(MPI_Comm) :: copy, half, grid, row, none
  HANDLE(MPI_Group) :: world, first
  HANDLE(MPI_Errhandler) :: errhandler
  HANDLE(MPI_Info) :: info
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  next = mod(rank + 1, n)
  previous = mod(rank + n - 1, n)
  since = MPI_Wtime()
  x = large + small
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
  call MPI_Comm_compare(MPI_COMM_WORLD, copy, code, ierr)
  if (code /= MPI_CONGRUENT) error stop 'the copy is another'
  call MPI_Sendrecv(x, 1, MPI_REAL8, next, 1, got, 1, MPI_REAL8, previous, 1, copy, MPI_STATUS_IGNORE, ierr)
  print *, got - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half, ierr)
  got = x
  call MPI_Bcast(got, 1, MPI_REAL8, 0, half, ierr)
  print *, got - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
  call MPI_Group_incl(world, 1, [0], first, ierr)
  call MPI_Comm_create(MPI_COMM_WORLD, first, none, ierr)
  if ((none == MPI_COMM_NULL) .neqv. (rank > 0)) error stop 'of the wrong ranks'
  if (none /= MPI_COMM_NULL) call MPI_Comm_free(none, ierr)

  dims = [0, 1]
  call MPI_Dims_create(n, 2, dims, ierr)
  periods = [.true., .false.]
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., grid, ierr)
  periods = .false.
  call MPI_Cart_get(grid, 2, dims, periods, coords, ierr)
  if (.not. periods(1) .or. periods(2) .or. dims(1) /= n) error stop 'the grid is another'
  call MPI_Cart_shift(grid, 0, 1, from, to, ierr)
  call MPI_Sendrecv(x, 1, MPI_REAL8, to, 1, got, 1, MPI_REAL8, from, 1, grid, MPI_STATUS_IGNORE, ierr)
  print *, got - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Cart_sub(grid, [.true., .false.], row, ierr)
  call MPI_Allreduce(x, got, 1, MPI_REAL8, MPI_MAX, row, ierr)
  print *, got - large !~ precision-loss: 52..53 bits lost @output

  call MPI_Comm_set_name(copy, 'a copy', ierr)
  call MPI_Comm_get_name(copy, name, length, ierr)
  if (name(:length) /= 'a copy') error stop 'the name is another'
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND, ierr)
  call MPI_Comm_set_attr(copy, key, 42_MPI_ADDRESS_KIND, ierr)
  call MPI_Comm_get_attr(copy, key, value, flag, ierr)
  if (.not. flag .or. value /= 42) error stop 'the attribute is lost'
  call MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_get_errhandler(copy, errhandler, ierr)
  if (errhandler /= MPI_ERRORS_RETURN) error stop 'the handler is another'
  call MPI_Bcast(x, 1, MPI_REAL8, n, copy, code)
  call MPI_Error_class(code, class, ierr)
  call MPI_Error_string(code, text, length, ierr)
  if (class /= MPI_ERR_ROOT .or. length == 0) error stop 'no rank has this number'
  call MPI_Info_create(info, ierr)
  call MPI_Info_set(info, 'colour', 'blue', ierr)
  call MPI_Info_get(info, 'colour', MPI_MAX_OBJECT_NAME, name, flag, ierr)
  if (.not. flag .or. name /= 'blue') error stop 'the information is lost'
  call MPI_Info_free(info, ierr)
#if defined(F08) || defined(MODULE)
  call MPI_Sizeof(x, bytes, ierr)
  if (bytes /= 8) error stop 'the size is wrong'
#endif
  if (MPI_Wtime() < since .or. MPI_Wtick() > 1) error stop 'the clock goes wrong'
  call MPI_Group_free(world, ierr)
  call MPI_Group_free(first, ierr)
  call MPI_Comm_free(copy, ierr)
  call MPI_Comm_free(half, ierr)
  call MPI_Comm_free(row, ierr)
  call MPI_Comm_free(grid, ierr)
  if (grid /= MPI_COMM_NULL) error stop 'the grid is still there'
  call MPI_Finalize(ierr)
end program
