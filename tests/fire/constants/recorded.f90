! Recorded numbers in Fortran: an equality that is missed, and one that holds for a value that is wrong.
program recorded
  implicit none
  double precision :: a, b, c, large, factor, total, bad
  read (*, *) a, b, c, large, factor
  total = a + b + c
  if (total == 0.6d0) print *, 'equal' !~ branch-flip
  bad = ((large + c) - large) * factor
  if (bad == 0.33000335693359377d0) print *, 'as it was' !~ branch-flip
  print *, 'done'
end program
! nonius: stdin="0.1 0.2 0.3 1e11 1.1\n"
