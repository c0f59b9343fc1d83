! A polynomial and its derivative at many points in Fortran, by Horner's rule.
! bench: group=fortran types=double size=100000x320 quick=50000x80
module work
  implicit none
  integer(8) :: state, bits = 0
  real(8) :: total = 0
contains
  subroutine evaluate(n, degree, value, slope, x, coefficient)
    integer, intent(in) :: n, degree
    real(8), intent(in) :: x(n), coefficient(0:degree)
    real(8), intent(out) :: value(n), slope(n)
    real(8) :: v, s
    integer :: i, k
    do i = 1, n
      v = coefficient(degree)
      s = 0
      do k = degree - 1, 0, -1
        s = s * x(i) + v
        v = v * x(i) + coefficient(k)
      end do
      value(i) = v
      slope(i) = s
    end do
  end subroutine

  include 'shared/kernel.inc'
end module

program main
  use work
  implicit none
  integer, parameter :: degree = 18
  real(8), allocatable :: value(:), slope(:), x(:)
  real(8) :: coefficient(0:degree)
  integer :: n, reps, rep
  call arguments(n, reps)
  allocate (value(n), slope(n), x(n))
  call fill(x, n)
  call fill(coefficient, degree + 1)
  do rep = 1, reps
    coefficient(mod(rep, degree + 1)) = coefficient(mod(rep, degree + 1)) + 0.125d0
    call evaluate(n, degree, value, slope, x, coefficient)
  end do
  call digest(value, n)
  call digest(slope, n)
  call show()
end program
