! nonius: stdin="0.7\n"
! Pointers, targets and assumed-shape arguments keep shadows or start anew.
module smoothing
  implicit none
contains
  subroutine smooth(x)
    real(8), intent(inout) :: x(:)
    real(8), allocatable :: old(:)
    integer :: i
    old = x
    do i = 2, size(x) - 1
      x(i) = (old(i - 1) + 2 * old(i) + old(i + 1)) / 4
    end do
  end subroutine
end module

program pointers
  use smoothing
  implicit none
  real(8), target :: field(100)
  real(8), pointer :: part(:)
  real(8) :: x
  integer :: i
  read *, x
  field = [(sin(x * i) + 2, i = 1, 100)]
  part => field(1:99:2)
  do i = 1, 10
    call smooth(part)
    call smooth(field)
  end do
  print *, field(50), part(3), sum(part) / size(part)
end program
