! Datatypes: a row of a matrix, a block of it, members of a type at absolute addresses, indexed, and what is packed.
#include "common.h"
program types
  USE_MPI
  implicit none
#if !defined(F08) && !defined(MODULE)
  include 'mpif.h'
#endif
  double precision, volatile :: large = 1d16, small = SMALL
  integer :: rank, n, next, previous, ierr
  type particle
    sequence
    double precision :: x
    integer :: kind, padding
    double precision :: y
  end type
  type(particle) :: sent, got
  double precision :: matrix(4, 4), row(4), block(2, 2)
  integer :: position, size, blocks(3)
  integer(MPI_ADDRESS_KIND) :: addresses(3), lb, extent
  character :: packed(200)
  HANDLE(MPI_Datatype) :: a_row, a_block, members(3), out, in
  STATUS_OF(status)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  next = mod(rank + 1, n)
  previous = mod(rank + n - 1, n)
  matrix = large
  matrix(2, 3) = large + small
  call MPI_Type_vector(4, 1, 4, MPI_DOUBLE_PRECISION, a_row, ierr)
  call MPI_Type_commit(a_row, ierr)
  call MPI_Sendrecv(matrix(2, 1), 1, a_row, next, 1, row, 4, MPI_DOUBLE_PRECISION, previous, 1, MPI_COMM_WORLD, status, &
    ierr)
  print *, row(2) - large
  print *, row(3) - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Type_create_subarray(2, [4, 4], [2, 2], [1, 1], MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, a_block, ierr)
  call MPI_Type_commit(a_block, ierr)
  call MPI_Sendrecv(matrix, 1, a_block, next, 1, block, 4, MPI_DOUBLE_PRECISION, previous, 1, MPI_COMM_WORLD, status, ierr)
  print *, block(1, 1) - large
  print *, block(1, 2) - large !~ precision-loss: 52..53 bits lost @output

  sent = particle(large + small, rank, 0, 2 * large + 2 * small)
  got = particle(0, 0, 0, 0)
  blocks = 1
  members = [MPI_DOUBLE_PRECISION, MPI_INTEGER, MPI_DOUBLE_PRECISION]
  call MPI_Get_address(sent%x, addresses(1), ierr)
  call MPI_Get_address(sent%kind, addresses(2), ierr)
  call MPI_Get_address(sent%y, addresses(3), ierr)
  call MPI_Type_create_struct(3, blocks, addresses, members, out, ierr)
  call MPI_Type_commit(out, ierr)
  call MPI_Get_address(got%x, addresses(1), ierr)
  call MPI_Get_address(got%kind, addresses(2), ierr)
  call MPI_Get_address(got%y, addresses(3), ierr)
  call MPI_Type_create_struct(3, blocks, addresses, members, in, ierr)
  call MPI_Type_commit(in, ierr)
  call MPI_Sendrecv(MPI_BOTTOM, 1, out, next, 2, MPI_BOTTOM, 1, in, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  if (got%kind /= previous) error stop 'an integer is wrong'
  print *, got%x - large !~ precision-loss: 52..53 bits lost @output
  print *, got%y - 2 * large !~ precision-loss: 52..53 bits lost @output

  call MPI_Type_get_extent(a_row, lb, extent, ierr)
  call MPI_Type_size(a_row, size, ierr)
  if (lb /= 0 .or. extent /= 8 * 13 .or. size /= 32) error stop 'a row is of another size'
  position = 0
  call MPI_Pack(rank, 1, MPI_INTEGER, packed, 200, position, MPI_COMM_WORLD, ierr)
  call MPI_Pack(matrix(2, 1), 1, a_row, packed, 200, position, MPI_COMM_WORLD, ierr)
  call MPI_Sendrecv_replace(packed, position, MPI_PACKED, next, 3, previous, 3, MPI_COMM_WORLD, status, ierr)
  position = 0
  call MPI_Unpack(packed, 200, position, size, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call MPI_Unpack(packed, 200, position, row, 4, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
  if (size /= previous) error stop 'an integer was packed wrongly'
  print *, row(3) - large !~ precision-loss: 52..53 bits lost @output
  call MPI_Type_free(a_row, ierr)
  call MPI_Type_free(a_block, ierr)
  call MPI_Type_free(out, ierr)
  call MPI_Type_free(in, ierr)
  call MPI_Finalize(ierr)
end program
