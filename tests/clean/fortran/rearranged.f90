! nonius: stdin="1d16 1\n"
! fire/fortran/rearranged without the element that is rounded: what is exact stays so, and no element takes another's error.
program rearranged
  implicit none
  real(8) :: big, small, values(3), matrix(2, 3)
  real(8), allocatable :: packed(:), copies(:, :), turned(:, :)
  logical :: wanted(3)
  read *, big, small
  values = [big + small, big + 2 * small, big + 4 * small]
  wanted = [.false., .true., .true.]
  packed = pack(values, wanted)
  call show(packed(1) - big)
  call show(packed(2) - big)
  copies = spread(values, 1, 2)
  call show(copies(2, 3) - big)
  copies = spread(values, 2, 2)
  call show(copies(2, 2) - big)
  matrix(1, :) = values
  matrix(2, :) = big
  turned = transpose(matrix)
  call show(turned(2, 1) - big)
  call show(turned(1, 2) - big)
contains
  subroutine show(x)
    real(8), intent(in) :: x
    print *, x
  end subroutine
end program
