! nonius: stdin="10\n"
! A quotient that should be whole is truncated to the integer below; rounding is right.
program truncated_kernel
  implicit none
  real(8) :: ten
  real(8) :: x, step
  read *, ten
  x = 6 / ten
  step = 2 / ten
  print *, truncated(x, step), rounded(x, step)
contains
  integer function truncated(x, step)
    real(8), intent(in) :: x, step
    truncated = int(x / step) !~ cast-flip
  end function
  integer function rounded(x, step)
    real(8), intent(in) :: x, step
    rounded = nint(x / step)
  end function
end program
