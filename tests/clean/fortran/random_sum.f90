! Random numbers are input: exact, though the place where they go had an error before.
program random_sum
  implicit none
  real(8) :: x, values(3), total
  integer :: i
  total = 0
  do i = 1, 100
    call random_number(x)
    call random_number(values)
    total = total + x / 3 + sum(values) / 7
    x = x / 3
    values = values / 3
  end do
  call show(total)
contains
  subroutine show(x)
    real(8), intent(in) :: x
    if (x < 0) print *, x
    print *, x > 0
  end subroutine
end program
