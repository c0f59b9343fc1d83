! Recorded results in Fortran: equal to all digits, or within less than an ulp.
program recorded
  implicit none
  double precision :: step, total, printed(2)
  integer :: i, same
  read (*, *) step
  total = 0
  do i = 1, 10
    total = total + step
  end do
  printed = [0.9999999999999999d0, 0.5d0]
  same = 0
  if (total == 0.9999999999999999d0) same = same + 1
  if (total == printed(1)) same = same + 1
  if (abs(total - printed(1)) < 1d-17) same = same + 1
  if (total /= 0.9999999999999999d0) same = -100
  print '(I0)', same
end program
! nonius: stdin="0.1\n"
