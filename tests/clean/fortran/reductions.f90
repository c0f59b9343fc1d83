! nonius: stdin="1d15 3d-1\n"
! fire/fortran/reductions with differences that do not cancel.
program reductions
  implicit none
  real(8) :: x, y, excess(3), weights(3)
  read *, x, y
  ! sqrt(x + k) - sqrt(x)
  excess = [1 / (sqrt(x + 1) + sqrt(x)), 3 / (sqrt(x + 3) + sqrt(x)), 2 / (sqrt(x + 2) + sqrt(x))]
  weights = y
  print *, total(excess), weighed(excess, weights), largest(excess), volume(excess)
  print *, excess, norm2(excess), norm2(excess * 1d200), norm2(excess(2:1))
  print *, total(excess(2:1)), volume(excess(2:1))
contains
  real(8) function total(a)
    real(8), intent(in) :: a(:)
    total = sum(a)
  end function
  real(8) function weighed(a, b)
    real(8), intent(in) :: a(:), b(:)
    weighed = dot_product(a, b)
  end function
  real(8) function largest(a)
    real(8), intent(in) :: a(:)
    largest = maxval(a)
  end function
  real(8) function volume(a)
    real(8), intent(in) :: a(:)
    volume = product(a)
  end function
end program
