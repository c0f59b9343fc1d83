! nonius: stdin="1d15 1d8\n"
! Arrays that flang's runtime makes of others without optimization, or code that flang puts in its place: products of
! matrices, reductions along one dimension and under a mask. What comes out has the error of the elements.
program made_arrays
  implicit none
  real(8) :: x, y, roots(3, 2), c(2, 2), v(3), w(2)
  real(4) :: singles(2, 2), column(2)
  complex(8) :: numbers(2), total
  read *, x, y
  roots(:, 1) = [sqrt(x + 1), sqrt(x + 2), sqrt(x + 3)]
  roots(:, 2) = y / y
  v = y / y
  c = matmul(transpose(roots), roots)
  print *, c(1, 2) - (3 * sqrt(x) + 1d-7) !~ precision-loss: 33..53 bits lost
  w = matmul(transpose(roots), v)
  print *, w(1) - (3 * sqrt(x) + 1d-7) !~ precision-loss: 33..53 bits lost
  w = matmul(v, roots)
  print *, w(1) - (3 * sqrt(x) + 1d-7) !~ precision-loss: 33..53 bits lost
  w = sum(roots, dim=1)
  print *, w(1) - (3 * sqrt(x) + 1d-7) !~ precision-loss: 33..53 bits lost
  w = product(roots, dim=1)
  print *, w(1) / (x * sqrt(x)) - 1 !~ precision-loss: 33..53 bits lost
  w = maxval(roots, dim=1)
  print *, w(1) - sqrt(x) !~ precision-loss: 33..53 bits lost
  w = minval(roots, dim=1, mask=roots > 2)
  print *, w(1) - sqrt(x) !~ precision-loss: 33..53 bits lost
  w = norm2(roots, dim=1)
  print *, w(1) - sqrt(3 * x + 5) !~ precision-loss: 33..53 bits lost
  print *, sum(roots, mask=roots > 2) - (3 * sqrt(x) + 1d-7) !~ precision-loss: 33..53 bits lost
  print *, product(roots, mask=roots > 2) / (x * sqrt(x)) - 1 !~ precision-loss: 33..53 bits lost
  print *, maxval(roots, mask=roots > 2) - sqrt(x) !~ precision-loss: 33..53 bits lost
  v = cshift(roots(:, 1), 1)
  print *, v(1) - sqrt(x) !~ precision-loss: 33..53 bits lost
  v = eoshift(roots(:, 1), -1)
  print *, v(2) - sqrt(x) !~ precision-loss: 33..53 bits lost
  v = unpack(roots(:, 1), v < 2, v)
  print *, v(1) - sqrt(x) !~ precision-loss: 33..53 bits lost
  singles(1, :) = sqrt(real(y) + 1)
  singles(2, :) = sqrt(real(y) + 2)
  column = sum(singles, dim=2)
  print *, column(1) - 2 * sqrt(real(y)) !~ precision-loss: 4..24 bits lost
  numbers = [cmplx(sqrt(x + 1), y, 8), cmplx(sqrt(x + 2), y, 8)]
  total = sum(numbers)
  print *, real(total) - (2 * sqrt(x) + 1d-7) !~ precision-loss: 33..53 bits lost
end program
