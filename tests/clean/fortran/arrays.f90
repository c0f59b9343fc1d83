! nonius: stdin="0.7\n"
! Array expressions, sections, reductions and products of well-behaved data.
program arrays
  implicit none
  integer, parameter :: n = 20
  real(8) :: x, a(n, n), b(n, n), v(n)
  real(8), allocatable :: c(:, :)
  integer :: i, j
  read *, x
  do j = 1, n
    do i = 1, n
      a(i, j) = x / (i + j)
    end do
  end do
  b = transpose(a) + 1
  c = matmul(a, b)
  v = c(:, 3) * 2 + c(5, :)
  print *, sum(v), maxval(c), minval(c), dot_product(v, b(:, 1)), norm2(v), product(a(1:4, 1))
  print *, v(1:n:5), count(v > 1), merge(v(1), v(2), v(1) > v(2))
  deallocate(c)
end program
