! nonius: flags=-fopenmp
! Parallel loops in Fortran, with private variables and a reduction that does not depend on the order.
program openmp
  implicit none
  double precision :: a(200), b(200), scaled, most
  integer :: i, j
  !$omp parallel do private(scaled)
  do i = 1, 200
    scaled = i * 0.1d0
    a(i) = sin(scaled) + sqrt(scaled)
  end do
  !$omp end parallel do
  !$omp parallel do collapse(2)
  do i = 1, 10
    do j = 1, 20
      b(20 * (i - 1) + j) = a(10 * (j - 1) + i) / (i + j)
    end do
  end do
  !$omp end parallel do
  most = -huge(most)
  !$omp parallel do reduction(max:most)
  do i = 1, 200
    most = max(most, b(i))
  end do
  !$omp end parallel do
  print '(5es26.17)', b
  print '(es26.17)', most
end program
