! nonius: stdin="0.1\n"
! A compensated sum: its error terms are meant.
program kahan
  implicit none
  real(4) :: x
  real(8) :: y
  read *, x
  y = x / 3d0
  print *, single(x, 1000), double(y, 1000)
contains
  real(4) function single(x, n)
    real(4), intent(in) :: x
    integer, intent(in) :: n
    real(4) :: lost, y, t
    integer :: i
    single = 0
    lost = 0
    do i = 1, n
      y = x - lost
      t = single + y
      lost = (t - single) - y
      single = t
    end do
  end function
  real(8) function double(x, n)
    real(8), intent(in) :: x
    integer, intent(in) :: n
    real(8) :: lost, y, t
    integer :: i
    double = 0
    lost = 0
    do i = 1, n
      y = x - lost
      t = double + y
      lost = (t - double) - y
      double = t
    end do
  end function
end program
