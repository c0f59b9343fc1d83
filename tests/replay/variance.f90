! Variance by the difference of mean squares cancels; by the squares of differences it does not.
module statistics
  implicit none
contains
  double precision function textbook(x)
    double precision, intent(in) :: x(:)
    textbook = sum(x * x) / size(x) - (sum(x) / size(x))**2
  end function

  double precision function two_pass(x)
    double precision, intent(in) :: x(:)
    two_pass = sum((x - sum(x) / size(x))**2) / size(x)
  end function
end module

program variance
  use statistics
  implicit none
  double precision :: x(9)
  read *, x
  print *, textbook(x)
  print *, two_pass(x)
end program
