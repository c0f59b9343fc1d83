! nonius: stdin="1.7d-13\n"
! exp(x) - 1 of a small x keeps few digits; a series keeps them all.
program exp_minus_one
  implicit none
  real(8) :: x
  read *, x
  print *, naive(x), series(x)
contains
  real(8) function naive(x)
    real(8), intent(in) :: x
    naive = exp(x) - 1 !~ precision-loss: 40..53 bits lost
  end function
  real(8) function series(x)
    real(8), intent(in) :: x
    series = x * (1 + x / 2 * (1 + x / 3))
  end function
end program
