! Findings are on the lines of statements, never on that of the procedure they are in: stores that the optimizer merged
! have lost theirs.
! nonius: stdin=1e15\n
module shapes
  implicit none
contains
  subroutine both(x, k, y)
    real(8), intent(in) :: x
    integer, intent(in) :: k
    real(8), intent(out) :: y
    if (k == 1) then
      y = sqrt(x + 1) - sqrt(x) !~ precision-loss: 45..53 bits lost
    else
      y = cos(1 / x) - 1
    end if
  end subroutine both

  subroutine elements(a, b, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(out) :: b(n)
    integer :: i
    b = sqrt(a + 2) - sqrt(a) !~ precision-loss: 45..53 bits lost
    do i = 1, n
      b(i) = b(i) * 2
    end do
  end subroutine elements

  function early(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r
    if (x > 1d10) then
      r = sqrt(x + 3) - sqrt(x) !~ precision-loss: 45..53 bits lost
      return
    end if
    r = cos(1 / x) - 1
  end function early
end module shapes

program main
  use shapes
  implicit none
  real(8) :: x, y, a(4), b(4)
  integer :: k
  read (*, *) x
  k = merge(1, 2, x > 1)
  call both(x, k, y)
  print *, y
  a = x
  call elements(a, b, 4)
  print *, b(2)
  print *, early(x)
  print *, inner(x)
contains
  real(8) function inner(t)
    real(8), intent(in) :: t
    if (t > 1d10) then
      inner = (sqrt(t + 5) - sqrt(t)) * 3 !~ precision-loss: 45..53 bits lost
    else
      inner = t
    end if
  end function inner
end program main
