! Heat equation in one dimension in Fortran: explicit steps, three points.
! bench: group=fortran types=double size=20000x25000 quick=20000x3800
module work
  implicit none
  integer(8) :: state, bits = 0
  real(8) :: total = 0
contains
  subroutine step(n, next, now)
    integer, intent(in) :: n
    real(8), intent(in) :: now(n)
    real(8), intent(inout) :: next(n)
    integer :: i
    do i = 2, n - 1
      next(i) = 0.25d0 * now(i - 1) + 0.5d0 * now(i) + 0.25d0 * now(i + 1)
    end do
  end subroutine

  include 'shared/kernel.inc'
end module

program main
  use work
  implicit none
  real(8), allocatable :: x(:, :)
  integer :: n, reps, rep
  call arguments(n, reps)
  allocate (x(n, 2))
  call fill(x, n)
  x(:, 2) = x(:, 1)
  do rep = 1, reps
    call step(n, x(:, 2 - mod(rep + 1, 2)), x(:, 1 + mod(rep + 1, 2)))
  end do
  call digest(x, 2 * n)
  call show()
end program
