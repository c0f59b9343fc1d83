! nonius: stdin="1d15 3d-1\n"
! Reductions of arrays, inlined or left to flang's runtime: what comes out has the error of the elements.
program reductions
  implicit none
  real(8) :: x, y, roots(3), weights(3)
  real(4) :: singles(2)
  read *, x, y
  roots = [sqrt(x + 1), sqrt(x + 3), sqrt(x + 2)]
  weights = y
  singles = [real(y), 0.5e0]
  print *, total(roots) - (3 * sqrt(x) + 1d-7) !~ precision-loss: 35..53 bits lost @output
  print *, weighed(roots, weights) - 3 * sqrt(x) * y !~ precision-loss: 35..53 bits lost @output
  print *, largest(roots) - sqrt(x) !~ precision-loss: 40..53 bits lost @output
  print *, volume(roots) / (x * sqrt(x)) - 1 !~ precision-loss: 35..53 bits lost @output
  print *, norm2(roots) - sqrt(3 * x + 5) !~ precision-loss: 35..53 bits lost @output
  print *, count_up(singles) - (real(y) + 0.5e0)
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
  real(4) function count_up(a)
    real(4), intent(in) :: a(:)
    count_up = sum(a)
  end function
end program
