! Forward substitution in Fortran with a lower triangle larger than the cache.
! bench: group=fortran types=double size=2300x90 quick=800x130
module work
  implicit none
  integer(8) :: state, bits = 0
  real(8) :: total = 0
contains
  subroutine solve(n, l, x, b)
    integer, intent(in) :: n
    real(8), intent(in) :: l(n, n), b(n)
    real(8), intent(out) :: x(n)
    integer :: i, j
    real(8) :: sum
    ! The triangle is kept transposed, so that a row is contiguous. The sum is a variable as in C: kept in x(i), it would be
    ! stored each round, since x(j) might be the same.
    do i = 1, n
      sum = b(i)
      do j = 1, i - 1
        sum = sum - l(j, i) * x(j)
      end do
      x(i) = sum / l(i, i)
    end do
  end subroutine

  include 'shared/kernel.inc'
end module

program main
  use work
  implicit none
  real(8), allocatable :: l(:, :), x(:), b(:)
  integer :: n, reps, rep, i
  call arguments(n, reps)
  allocate (l(n, n), x(n), b(n))
  call fill(l, n * n)
  do i = 1, n
    l(i, i) = l(i, i) + n
  end do
  call fill(b, n)
  do rep = 1, reps
    b(mod(rep, n) + 1) = b(mod(rep, n) + 1) + 1
    call solve(n, l, x, b)
  end do
  call digest(x, n)
  call show()
end program
