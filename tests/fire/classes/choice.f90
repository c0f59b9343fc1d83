! nonius: stdin="1e6 1.2e-10 1.6e-10\n"
! The same comparison where neither of the two is kept.
program choice
  implicit none
  double precision :: shift, small, larger
  integer :: taken
  read (*, *) shift, small, larger
  taken = 0
  call decides(3 + ((shift + small) - shift), 3 + ((shift + larger) - shift))
  print *, taken
contains
  subroutine decides(x, y)
    double precision, intent(in) :: x, y
    if (y > x) taken = 1 !~ branch-flip {none}
  end subroutine
end program
