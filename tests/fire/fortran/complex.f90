! nonius: stdin="1d15\n"
! Complex numbers are pairs of floats, each with its shadow.
program complex_numbers
  implicit none
  real(8) :: x
  complex(8) :: z, w
  read *, x
  z = cmplx(sqrt(x + 1), 2 * x, 8)
  w = cmplx(sqrt(x), x, 8)
  z = z - w !~ precision-loss: 45..53 bits lost
  print *, real(z)
  print *, aimag(z), abs(w)
end program
