! nonius: stdin="-3 200\n"
! Decisions that hang on how constants were rounded, in Fortran.
program decisions
  implicit none
  real(8), parameter :: third = 1.0d0 / 3.0d0
  real(8) :: x, q
  integer :: i, n, hits
  read *, x, n
  q = x * third
  if (q * q * q + 1.0d0 == 0.0d0) print *, "a root"
  hits = 0
  do i = 0, n - 1
    if (i * 0.1d0 * 10.0d0 == i) hits = hits + 1
    hits = hits + int(i * third * 3.0d0)
  end do
  print *, hits
end program
