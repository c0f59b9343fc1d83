! A row of a matrix that a procedure wants in one piece: it goes there as a copy, and what the procedure makes of it comes
! back as one.
program sections
  implicit none
  real(8) :: matrix(4, 4), kept(4)
  real(8), volatile :: large = 1d16, small = 1
  matrix = large
  matrix(2, 3) = large + small
  call keep(matrix(2, :), kept)
  print *, kept(1) - large
  print *, kept(3) - large !~ precision-loss: 52..53 bits lost @output
  call raise(matrix(3, :), 1d0 * small)
  print *, matrix(2, 1) - large
  print *, matrix(3, 1) - large !~ precision-loss: 52..53 bits lost @output
end program

subroutine keep(row, kept)
  real(8) :: row(4), kept(4)
  kept = row
end subroutine

subroutine raise(row, by)
  real(8) :: row(4), by
  row = row + by
end subroutine
