! nonius: stdin="0.1d0 10\n"
! Ten tenths do not add up to one, so the comparison goes wrong; with a tolerance it does not.
program ten_tenths
  implicit none
  real(8) :: tenth, whole
  real(8) :: step, total
  integer :: i
  read *, tenth, whole
  step = 1 / whole
  total = 0
  do i = 1, 10
    total = total + step
  end do
  if (total == 1) then !~ branch-flip
    print *, 'one'
  end if
  if (abs(total - 1) < tenth * 1d-9) print *, 'about one'
end program
