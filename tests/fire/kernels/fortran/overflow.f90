! nonius: stdin="3d200 4d200\n"
! The squares of a norm overflow; scaled they do not.
program overflow
  implicit none
  real(8) :: x, y
  read *, x, y
  print *, norm(x, y), scaled(x, y)
contains
  real(8) function norm(x, y)
    real(8), intent(in) :: x, y
    norm = sqrt(x * x + y * y) !~ inf
  end function
  real(8) function scaled(x, y)
    real(8), intent(in) :: x, y
    real(8) :: big
    big = max(abs(x), abs(y))
    scaled = big * sqrt((x / big)**2 + (y / big)**2)
  end function
end program
