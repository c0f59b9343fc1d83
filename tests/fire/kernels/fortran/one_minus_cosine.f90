! nonius: stdin="1.3d-8\n"
! 1 - cos x of a small angle cancels; twice the squared sine of the half does not.
program one_minus_cosine
  implicit none
  real(8) :: x
  read *, x
  print *, direct(x), half_angle(x)
contains
  real(8) function direct(x)
    real(8), intent(in) :: x
    direct = 1 - cos(x) !~ precision-loss: 50..53 bits lost
  end function
  real(8) function half_angle(x)
    real(8), intent(in) :: x
    half_angle = 2 * sin(x / 2)**2
  end function
end program
