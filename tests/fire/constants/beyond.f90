! nonius: stdin="1\n"
! Losses and flips in computations with rounded constants that are far beyond how those were rounded, in Fortran.
program beyond
  implicit none
  real(8) :: last, t, b, c, root
  integer :: count
  read *, last
  t = 0
  count = 0
  do while (t < last) !~ branch-flip @branch
    t = t + 0.1d0
    count = count + 1
  end do
  print *, count
  b = last * 123456789.1d0
  c = last * 0.1d0
  root = (-b + sqrt(b * b - 4 * c)) / 2 !~ precision-loss: 52..53 bits lost @output
  print *, root
  print *, -2 * c / (b + sqrt(b * b - 4 * c))
end program
