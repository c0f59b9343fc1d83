! The stable form on variables that are literals.
program main
  implicit none
  real(8) :: x, s
  x = 1d-9
  s = sin(x / 2)
  print *, 2 * s * s / (x * x)
end program main
