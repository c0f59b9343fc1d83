! nonius: stdin="1d16 1\n" options=check_store=0
! An array that is printed whole is looked at element by element. (On one line, for the event engine names the
! difference, while the inline engine sees it come from memory.)
program printed_array
  implicit none
  real(8) :: big, small, values(3)
  real(4) :: singles(2)
  read *, big, small
  values = [1d0, big + small, 2d0]
  singles = real([big, small] / 3)
  values(2) = values(2) - big; print *, values !~ precision-loss: 50..53 bits lost @output
  print *, singles
end program
