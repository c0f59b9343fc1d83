! nonius: stdin="1d16 1\n"
! The small term vanishes beside the big one; in another order it survives.
program absorption
  implicit none
  real(8) :: big, small
  read *, big, small
  print *, big_first(big, small), small_last(big, small)
contains
  real(8) function big_first(big, small)
    real(8), intent(in) :: big, small
    real(8) :: total
    total = big + small
    big_first = total - big !~ precision-loss: 52..53 bits lost
  end function
  real(8) function small_last(big, small)
    real(8), intent(in) :: big, small
    small_last = (big - big) + small
  end function
end program
