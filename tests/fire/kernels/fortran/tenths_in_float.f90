! nonius: stdin="0.1\n"
! 500 times 0.1 in single precision drifts; one multiplication does not.
program tenths_in_float
  implicit none
  real(4) :: step
  read *, step
  print *, added(step, 500), multiplied(step, 500)
contains
  real(4) function added(step, n)
    real(4), intent(in) :: step
    integer, intent(in) :: n
    integer :: i
    added = 0
    do i = 1, n
      added = added + step !~ precision-loss: 4..9 bits lost
    end do
  end function
  real(4) function multiplied(step, n)
    real(4), intent(in) :: step
    integer, intent(in) :: n
    multiplied = step * n
  end function
end program
