! Arguments by reference: the literal lies in memory, and the function that reads it is inlined.
program main
  implicit none
  real(8) :: terms(3)
  print *, versine(1d-9)
  terms = (/ 1d16, 1d0, -1d16 /)
  print *, total(terms, 3)
contains
  real(8) function versine(x)
    real(8), intent(in) :: x
    versine = (1 - cos(x)) / x**2 !~ precision-loss: 52..53 bits lost @output
  end function versine
  real(8) function total(v, n)
    integer, intent(in) :: n
    real(8), intent(in) :: v(n)
    integer :: i
    total = 0
    do i = 1, n
      total = total + v(i) !~ precision-loss: 52..53 bits lost @output
    end do
  end function total
end program main
