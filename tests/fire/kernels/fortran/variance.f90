! nonius: stdin="1d10\n"
! Mean of squares minus square of mean, for readings far from zero; two passes are fine.
program variance
  implicit none
  real(8) :: base
  real(8) :: x(5)
  integer :: i
  read *, base
  do i = 1, 5
    x(i) = base + (i - 1) * (i - 1)
  end do
  print *, one_pass(x, 5), two_pass(x, 5)
contains
  real(8) function one_pass(x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: total, squares
    integer :: i
    total = 0
    squares = 0
    do i = 1, n
      total = total + x(i)
      squares = squares + x(i) * x(i)
    end do
    one_pass = (squares - total * total / n) / (n - 1) !~ precision-loss: 40..53 bits lost
  end function
  real(8) function two_pass(x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: mean
    mean = sum(x) / n
    two_pass = sum((x - mean)**2) / (n - 1)
  end function
end program
