! nonius: stdin="0.3\n"
! Elimination, a matrix product and reductions give the same digits.
program linear_algebra
  implicit none
  integer, parameter :: n = 12
  real(8) :: a(n, n), b(n, n), x
  integer :: i, j, k
  read *, x
  do concurrent (i = 1:n, j = 1:n)
    a(i, j) = 1 / (i + j + x)
    if (i == j) a(i, j) = a(i, j) + 1
  end do
  b = matmul(a, transpose(a))
  do k = 1, n - 1
    do i = k + 1, n
      a(i, k) = a(i, k) / a(k, k)
      a(i, k+1:) = a(i, k+1:) - a(i, k) * a(k, k+1:)
    end do
  end do
  print '(3z17)', a(n, n), b(3, 4), sum(b)
  print *, maxloc(b), minval(a), dot_product(a(1, :), b(:, 2))
end program
