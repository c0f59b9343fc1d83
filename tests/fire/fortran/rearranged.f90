! nonius: stdin="1d16 1\n"
! Arrays that flang's runtime copies in another order take their errors along.
program rearranged
  implicit none
  real(8) :: big, small, values(3), matrix(2, 3)
  real(8), allocatable :: packed(:), copies(:, :), turned(:, :)
  logical :: wanted(3)
  read *, big, small
  values = [-big, big + 2 * small, big + small]
  wanted = values > small
  packed = pack(values, wanted)
  call show(packed(2) - big) !~ precision-loss: 52..53 bits lost
  copies = spread(values, 1, 2)
  call show(copies(2, 3) - big) !~ precision-loss: 52..53 bits lost
  copies = spread(values, 2, 2)
  call show(copies(3, 2) - big) !~ precision-loss: 52..53 bits lost
  matrix(1, :) = values
  matrix(2, :) = big
  turned = transpose(matrix)
  call show(turned(3, 1) - big) !~ precision-loss: 52..53 bits lost
contains
  subroutine show(x)
    real(8), intent(in) :: x
    print *, x
  end subroutine
end program
