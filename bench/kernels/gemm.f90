! Matrix product in Fortran: C = alpha A B + beta C.
! bench: group=fortran types=double size=250x55 quick=120x60
module work
  implicit none
  integer(8) :: state, bits = 0
  real(8) :: total = 0
contains
  subroutine gemm(n, alpha, beta, c, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: alpha, beta, a(n, n), b(n, n)
    real(8), intent(inout) :: c(n, n)
    integer :: i, j, k
    do j = 1, n
      do i = 1, n
        c(i, j) = c(i, j) * beta
      end do
      do k = 1, n
        do i = 1, n
          c(i, j) = c(i, j) + alpha * b(k, j) * a(i, k)
        end do
      end do
    end do
  end subroutine

  include 'shared/kernel.inc'
end module

program main
  use work
  implicit none
  real(8), allocatable :: a(:, :), b(:, :), c(:, :)
  integer :: n, reps, rep
  call arguments(n, reps)
  allocate (a(n, n), b(n, n), c(n, n))
  call fill(a, n * n)
  call fill(b, n * n)
  call fill(c, n * n)
  do rep = 1, reps
    call gemm(n, 1.5d0, 0.25d0, c, a, b)
  end do
  call digest(c, n * n)
  call show()
end program
