! nonius: stdin="1d15\n"
! A common block hands shadows from one unit to another.
subroutine fill(x)
  implicit none
  real(8) :: x, root, other
  common /shared/ root, other
  root = sqrt(x + 1)
  other = x
end subroutine

program common_block
  implicit none
  real(8) :: x, root, other
  common /shared/ root, other
  read *, x
  call fill(x)
  print *, root - sqrt(other) !~ precision-loss: 45..53 bits lost
  print *, 1 / (root + sqrt(other))
end program
