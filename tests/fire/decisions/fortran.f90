! The intrinsics that step, of sums that should be whole numbers, or lie halfway.
! nonius: stdin="0.1\n"
program decisions
  implicit none
  real(8) :: one, half
  real(8) :: tenth
  read *, tenth
  one = total(tenth, 10)
  half = total(tenth, 155)
  print *, floor(one)        !~ cast-flip
  print *, ceiling(-one)     !~ cast-flip
  print *, nint(half)        !~ cast-flip
  print *, aint(one)         !~ cast-flip
  print *, anint(half)       !~ cast-flip
  print *, mod(one, 1d0)     !~ cast-flip
  print *, modulo(one, 1d0) !~ cast-flip
contains
  real(8) function total(part, n)
    real(8), intent(in) :: part
    integer, intent(in) :: n
    integer :: i
    total = 0
    do i = 1, n
      total = total + part
    end do
  end function
end program
