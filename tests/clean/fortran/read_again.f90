! nonius: stdin="1d16 1\n1d16 1d16 2\n"
! What is read has no error, though it equals what stood there before with one.
program read_again
  implicit none
  real(8) :: big, small, x, values(2)
  read *, big, small
  x = big + small
  values = big + small
  call use_both(x - big < 0, values)
  read *, x, values
  call show(x - big)
  call show(values(1) - big)
  print *, values(1) - big
contains
  subroutine use_both(is_less, v)
    logical, intent(in) :: is_less
    real(8), intent(inout) :: v(:)
    if (is_less) v(1) = 0
  end subroutine
  subroutine show(x)
    real(8), intent(in) :: x
    print *, x
  end subroutine
end program
