! nonius: stdin="1d15\n"
! Nearly equal square roots cancel; the conjugate does not.
program sqrt_difference
  implicit none
  real(8) :: x
  read *, x
  print *, difference(x), conjugate(x)
contains
  real(8) function difference(x)
    real(8), intent(in) :: x
    difference = sqrt(x + 1) - sqrt(x) !~ precision-loss: 45..53 bits lost
  end function
  real(8) function conjugate(x)
    real(8), intent(in) :: x
    conjugate = 1 / (sqrt(x + 1) + sqrt(x))
  end function
end program
