! nonius: stdin="1e20 0.7\n"
! real(10) has 64 bits, which run out in their turn.
program extended
  implicit none
  real(10) :: x, y
  read *, x, y
  print *, difference(x, y)
  print *, y + (x - x)
contains
  real(10) function difference(x, y)
    real(10), intent(in) :: x, y
    difference = x + y
    difference = difference - x !~ precision-loss: 60..64 bits lost
  end function
end program
