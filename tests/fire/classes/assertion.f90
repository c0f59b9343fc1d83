! nonius: stdin="1.2345678e-9\n"
! The same comparison where the program goes on either way.
program assertion
  implicit none
  double precision :: t
  integer :: taken
  read (*, *) t
  taken = 0
  call decides((1 + t) - 1, t)
  print *, taken
contains
  subroutine decides(x, y)
    double precision, intent(in) :: x, y
    if (x == y) taken = 1 !~ branch-flip {none}
  end subroutine
end program
