! Gravity between all pairs of bodies in Fortran, softened, with leapfrog steps.
! bench: group=fortran types=double size=500x280 quick=250x150
module work
  implicit none
  integer(8) :: state, bits = 0
  real(8) :: total = 0
contains
  subroutine accelerate(n, x, v, mass, dt)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n, 3), mass(n), dt
    real(8), intent(inout) :: v(n, 3)
    real(8) :: a(3), d(3), square, pull
    integer :: i, j
    do i = 1, n
      a = 0
      do j = 1, n
        d(1) = x(j, 1) - x(i, 1)
        d(2) = x(j, 2) - x(i, 2)
        d(3) = x(j, 3) - x(i, 3)
        square = d(1) * d(1) + d(2) * d(2) + d(3) * d(3) + 0.01d0
        pull = mass(j) / (square * sqrt(square))
        a(1) = a(1) + pull * d(1)
        a(2) = a(2) + pull * d(2)
        a(3) = a(3) + pull * d(3)
      end do
      v(i, 1) = v(i, 1) + dt * a(1)
      v(i, 2) = v(i, 2) + dt * a(2)
      v(i, 3) = v(i, 3) + dt * a(3)
    end do
  end subroutine

  include 'shared/kernel.inc'
end module

program main
  use work
  implicit none
  real(8), allocatable :: x(:, :), v(:, :), mass(:)
  integer :: n, reps, rep, i, k
  call arguments(n, reps)
  allocate (x(n, 3), v(n, 3), mass(n))
  call fill(x, 3 * n)
  call fill(v, 3 * n)
  call fill(mass, n)
  mass = mass / n
  do rep = 1, reps
    call accelerate(n, x, v, mass, 0.001d0)
    do k = 1, 3
      do i = 1, n
        x(i, k) = x(i, k) + 0.001d0 * v(i, k)
      end do
    end do
  end do
  call digest(x, 3 * n)
  call digest(v, 3 * n)
  call show()
end program
