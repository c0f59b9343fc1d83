! nonius: stdin="1e6 1.2e-10 1.6e-10\n"
! A search for the largest of a column, as idamax has it.
program choice
  implicit none
  double precision :: shift, small, larger, column(2)
  read (*, *) shift, small, larger
  column(1) = 3 + ((shift + small) - shift)
  column(2) = 3 + ((shift + larger) - shift)
  print *, largest(2, column)
contains
  integer function largest(count, x)
    integer, intent(in) :: count
    double precision, intent(in) :: x(count)
    double precision :: most
    integer :: i
    largest = 1
    most = abs(x(1))
    do i = 2, count
      if (abs(x(i)) > most) then !~ branch-flip {choice}
        largest = i
        most = abs(x(i))
      end if
    end do
    if (most > 4) largest = -largest
  end function
end program
