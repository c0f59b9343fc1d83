! Arithmetic on variables that are literals.
program main
  implicit none
  real(8) :: x, y, big, one
  x = 1d-9
  y = 1 - cos(x) !~ precision-loss: 52..53 bits lost
  print *, y / (x * x)
  big = 1d16
  one = 1
  y = (big + one) - big !~ precision-loss: 52..53 bits lost
  print *, y
end program main
