! Files: what is written is read again, at offsets, by a view, and by a pointer; shadows restart there.
! restarts: MPI_File_read MPI_File_read_at MPI_File_read_at_all MPI_File_read_all
#include "common.h"
program files
  USE_MPI
  implicit none
#if !defined(F08) && !defined(MODULE)
  include 'mpif.h'
#endif
  double precision, volatile :: large = 1d16, small = SMALL
  integer :: rank, n, next, previous, ierr
  double precision :: x(2), got(2)
  integer(MPI_OFFSET_KIND) :: offset, size
  character(len=200) :: path
  HANDLE(MPI_File) :: file
  STATUS_OF(status)
  integer :: count
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  next = mod(rank + 1, n)
  previous = mod(rank + n - 1, n)
  call get_environment_variable('TMPDIR', path)
  path = trim(path)//'/nonius-mpi-file'
  x = [large + small, 1d0 * rank]
  call MPI_File_open(MPI_COMM_WORLD, path, ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, ierr)
  if (ierr /= MPI_SUCCESS) error stop 'the file cannot be opened'
  offset = 16 * rank
  call MPI_File_write_at(file, offset, x, 2, MPI_DOUBLE_PRECISION, status, ierr)
  call MPI_Get_count(status, MPI_DOUBLE_PRECISION, count, ierr)
  if (count /= 2) error stop 'not all was written'
  call MPI_File_sync(file, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_File_get_size(file, size, ierr)
  if (size /= 16 * n) error stop 'the file is of another size'
  call MPI_File_read_at(file, offset, got, 2, MPI_DOUBLE_PRECISION, status, ierr)
  if (got(2) /= rank .or. got(1) /= x(1)) error stop 'something else was read'
  offset = 16 * next
  call MPI_File_read_at_all(file, offset, got, 2, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
  if (got(2) /= next) error stop 'something else was read'
  call MPI_File_set_view(file, offset, MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, 'native', MPI_INFO_NULL, ierr)
  offset = 1
  call MPI_File_seek(file, offset, MPI_SEEK_SET, ierr)
  call MPI_File_read(file, got, 1, MPI_DOUBLE_PRECISION, status, ierr)
  call MPI_File_get_position(file, offset, ierr)
  if (got(1) /= next .or. offset /= 2) error stop 'something else was read'
  call MPI_File_seek(file, -2_MPI_OFFSET_KIND, MPI_SEEK_CUR, ierr)
  call MPI_File_read_all(file, got, 1, MPI_DOUBLE_PRECISION, status, ierr)
  print *, got(1) - large
  print *, x(1) - large !~ precision-loss: 52..53 bits lost @output
  call MPI_File_close(file, ierr)
  if (file /= MPI_FILE_NULL) error stop 'the file is still there'
  if (rank == 0) call MPI_File_delete(path, MPI_INFO_NULL, ierr)
  call MPI_Finalize(ierr)
end program
