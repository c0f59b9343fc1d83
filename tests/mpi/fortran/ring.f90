! A ring in Fortran over mpif.h: an error that arose on another rank is printed in line 15.
program ring
  include 'mpif.h'
  double precision :: sent, got
  double precision, volatile :: large, small
  integer :: rank, n, ierr, status(MPI_STATUS_SIZE)
  large = 1d16
  small = 1d0
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  sent = large + small
  call MPI_Sendrecv(sent, 1, MPI_DOUBLE_PRECISION, mod(rank + 1, n), 7, &
    got, 1, MPI_DOUBLE_PRECISION, mod(rank + n - 1, n), 7, MPI_COMM_WORLD, status, ierr)
  print *, got - large
  call MPI_Finalize(ierr)
end program
