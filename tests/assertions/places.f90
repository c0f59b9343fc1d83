! Assertions of Fortran: reals and integers by their kinds, members, elements.
program places
  implicit none
  type point
    real(8) :: x
    real(4) :: y
  end type
  type(point) :: p
  real(8) :: v(3), s
  integer :: n, i
  integer(8) :: big
  read (*, *) n
  p%x = 0.1d0 * n
  p%y = 0.5
  v = [1d0, 2d0, 3d0] * n
  big = 9223372036854775807_8
  s = 0
  do i = 1, 10
    s = s + p%x
    !@ assert s > 0 .and. i <= 10
    !@ assert i < 10 !~ failed
  end do
  !@ assert p%y == 0.5 .and. v(1) + v(2) == v(3)
  !@ assert p%x == 0.1 !~ failed
  !@ assert big + 1 > big && n /= 2
  !@ assert exact(s) > 1 && s < 1
  !@ assert round_error(s) < 1d-17 !~ failed
  !@ check abs(v(1) - 1) <= 1.0_8 / 3
  print *, v(1) + s
end program
