! nonius: stdin="0.1 0.2 0.3 1.2345678e-9\n"
! Tests as Fortran writes them: stop where sides are not equal, or differ by more than a tolerance.
program assertion
  implicit none
  double precision :: a, b, c, t
  read (*, *) a, b, c, t
  call equal((a + b) + c, a + (b + c), t)
  print *, 'done'
contains
  subroutine equal(x, y, t)
    double precision, intent(in) :: x, y, t
    if (abs(x - y) > 1d-16) then !~ branch-flip {tolerance-test}
      print *, 'differ'
    end if
    if ((x + t) - t == y + 1) then
      error stop 1
    end if
    if (a + b + c /= a * 6) error stop 2 !~ branch-flip {assertion}
  end subroutine
end program
