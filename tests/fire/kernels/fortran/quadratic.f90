! nonius: opt=O0,O2,O2-lto,O2-thin stdin="1d8 1\n"
! The textbook formula loses the small root when b*b dwarfs 4*a*c.
program quadratic
  implicit none
  real(8) :: b, c
  read *, b, c
  print *, textbook(b, c), stable(b, c)
contains
  real(8) function textbook(b, c)
    real(8), intent(in) :: b, c
    textbook = (-b + sqrt(b * b - 4 * c)) / 2 !~ precision-loss: 45..53 bits lost
  end function
  real(8) function stable(b, c)
    real(8), intent(in) :: b, c
    stable = 2 * c / (-b - sqrt(b * b - 4 * c))
  end function
end program
