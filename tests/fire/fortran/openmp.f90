! nonius: flags=-fopenmp stdin="1e17 3\n"
! Parallel loops in Fortran: what one thread computes, another reads from memory; a reduction brings shadows together.
program openmp
  implicit none
  double precision :: big, small, kept(64), rest(64), total, exact
  integer :: i
  read (*, *) big, small
  !$omp parallel do schedule(static, 1)
  do i = 1, 64
    kept(i) = big + small * i
  end do
  !$omp end parallel do
  !$omp parallel do schedule(static, 7)
  do i = 1, 64
    rest(i) = kept(i) - big !~ precision-loss: 52..53 bits lost
  end do
  !$omp end parallel do
  total = 0
  exact = 0
  !$omp parallel do reduction(+:total, exact)
  do i = 1, 64
    total = total + rest(i)
    exact = exact + 0.25d0 * i
  end do
  !$omp end parallel do
  print *, total > 0, exact
end program
