! nonius: stdin="3d0 7d0\n"
! Products of matrices, reductions along one dimension and under masks that lose no more than their last bits; empty ones too.
program made_arrays
  implicit none
  integer :: n, i, j
  real(8) :: x, y, a(3, 4), b(4, 2), c(3, 2), v(4), w(3), cube(2, 3, 4), slab(2, 4)
  real(4) :: singles(3, 3), column(3)
  complex(8) :: numbers(3)
  logical :: none(3, 4)
  real(8), allocatable :: empty(:, :)
  read *, x, y
  do j = 1, 4
    do i = 1, 3
      a(i, j) = x / (i + j)
    end do
  end do
  b = y / 3
  v = sqrt(x)
  none = .false.
  c = matmul(a, b)
  w = matmul(a, v)
  print *, c, w, matmul(w, a), matmul(transpose(b), v)
  w = sum(a, dim=2)
  print *, w, sum(a, dim=1, mask=a > 0.5d0), sum(a, mask=none), product(a, mask=none)
  w = maxval(a, dim=2, mask=a < 1)
  print *, w, minval(a, dim=1), norm2(a, dim=2), product(a, dim=1)
  do i = 1, 2
    do j = 1, 3
      cube(i, j, :) = v * i / j
    end do
  end do
  slab = sum(cube, dim=2)
  print *, slab
  n = int(x) - 3
  allocate(empty(n, 2))
  empty = x
  print *, sum(empty, dim=1), sum(empty, mask=empty > 0), product(empty, dim=2)
  singles = real(x) / 3
  column = matmul(singles, singles(:, 1))
  print *, column, sum(singles, dim=1), cshift(column, -1), eoshift(column, 1), unpack(column, column > 0, column)
  numbers = cmplx(x / 3, y / 3, 8)
  print *, sum(numbers), sum(numbers, mask=real(numbers) > 2)
end program
