! nonius: stdin="-1d-18\n"
! A difference that should not be negative is, and its root is NaN; a guard keeps it.
program root_of_negative
  implicit none
  real(8) :: x
  read *, x
  print *, root(x), guarded(x)
contains
  real(8) function root(x)
    real(8), intent(in) :: x
    root = sqrt(x) !~ nan
  end function
  real(8) function guarded(x)
    real(8), intent(in) :: x
    guarded = 0
    if (x > 0) guarded = sqrt(x)
  end function
end program
