! nonius: stdin="1\n" options=constants=exact
! The big terms of a dot product cancel; those of the absolute values do not.
program dot_kernel
  implicit none
  real(8) :: one
  real(8) :: x(5), y(5)
  read *, one
  x = [2.718281828d0, -3.141592654d0, 1.414213562d0, 0.5772156649d0, 0.3010299957d0] * one
  y = [1486.2497d0, 878366.9879d0, -22.37492d0, 4773714.647d0, 0.000185049d0]
  print *, dot(x, y, 5)
  print *, dot(abs(x), abs(y), 5)
contains
  real(8) function dot(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), y(n)
    integer :: i
    dot = 0
    do i = 1, n
      dot = dot + x(i) * y(i) !~ precision-loss: 50..53 bits lost
    end do
  end function
end program
