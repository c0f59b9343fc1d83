! nonius: stdin="1d15\n"
! Module variables, derived types and allocatable arrays carry shadows.
module state
  implicit none
  type point
    real(8) :: x, y
  end type
  real(8) :: root
  type(point) :: corner
  real(8), allocatable :: table(:)
contains
  subroutine fill(x)
    real(8), intent(in) :: x
    root = sqrt(x + 1)
    corner%y = sqrt(x + 2)
    allocate(table(3))
    table(2) = sqrt(x + 3)
  end subroutine
end module

program modules
  use state
  implicit none
  real(8) :: x
  read *, x
  call fill(x)
  print *, root - sqrt(x) !~ precision-loss: 45..53 bits lost
  print *, corner%y - sqrt(x) !~ precision-loss: 45..53 bits lost
  print *, table(2) - sqrt(x) !~ precision-loss: 45..53 bits lost
  print *, root + corner%y + table(2)
end program
