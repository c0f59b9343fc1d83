! nonius: stdin="1d-9 1.7d-13\n"
! Elemental intrinsics are known functions.
program intrinsics
  implicit none
  real(8) :: x, y
  read *, x, y
  print *, 1 - cos(x) !~ precision-loss: 50..53 bits lost
  print *, log(1 + y) !~ precision-loss: 33..44 bits lost
  print *, cosh(x) - 1 !~ precision-loss: 50..53 bits lost
  print *, sin(x), atan2(x, 1d0), hypot(x, 1d0), gamma(1 + x), erf(x), x**3, mod(1d0, 3d-1)
end program
