! nonius: stdin="1d16 1d15\n"
! Reductions and copies of arrays, inlined or left to the runtime, and arrays that are printed whole.
program arrays
  implicit none
  real(8) :: big, x, values(4)
  real(8), allocatable :: roots(:), copy(:)
  read *, big, x
  values = [big, 1d0, -big, 3d0]
  call show(total(values))
  call show(total(abs(values)))
  allocate (roots(3))
  roots = [sqrt(x), sqrt(x + 1), sqrt(x + 2)]
  copy = roots
  call show(copy(2) - maxval(roots(1:1))) !~ precision-loss: 40..53 bits lost
  roots(3) = roots(3) - roots(1) !~ precision-loss: 40..53 bits lost
  print *, roots
contains
  real(8) function total(x)
    real(8), intent(in) :: x(:)
    total = sum(x) !~ precision-loss: 50..53 bits lost
  end function
  subroutine show(x)
    real(8), intent(in) :: x
    print *, x
  end subroutine
end program
