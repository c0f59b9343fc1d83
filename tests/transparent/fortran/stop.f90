! nonius: status=3 stdin="2.0\n"
! A stop statement keeps its status.
program stops
  implicit none
  real(8) :: x
  read *, x
  print *, sqrt(x)
  if (x > 1) stop 3
  print *, 'not here'
end program
