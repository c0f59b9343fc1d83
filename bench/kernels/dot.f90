! The scalar product of two arrays in Fortran, with four partial sums.
! bench: group=fortran types=double size=2000000x190 quick=500000x100
module work
  implicit none
  integer(8) :: state, bits = 0
  real(8) :: total = 0
contains
  real(8) function dot(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), y(n)
    real(8) :: part(4)
    integer :: i, k
    part = 0
    do i = 1, n - 3, 4
      do k = 1, 4
        part(k) = part(k) + x(i + k - 1) * y(i + k - 1)
      end do
    end do
    dot = (part(1) + part(2)) + (part(3) + part(4))
  end function

  include 'shared/kernel.inc'
end module

program main
  use work
  implicit none
  real(8), allocatable :: x(:), y(:)
  real(8) :: found(1)
  integer :: n, reps, rep
  call arguments(n, reps)
  allocate (x(n), y(n))
  call fill(x, n)
  call fill(y, n)
  do rep = 1, reps
    x(mod(rep, n) + 1) = x(mod(rep, n) + 1) + 1
    found(1) = dot(n, x, y)
    call digest(found, 1)
  end do
  call show()
end program
