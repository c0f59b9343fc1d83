! nonius: opt=O0 stdin="1e8\n"
! The product of matrices of single precision, as flang's runtime computes it.
program matmul_single
  implicit none
  real(4) :: y, roots(2, 2), ones(2), column(2)
  read *, y
  roots(1, :) = sqrt(y + 1)
  roots(2, :) = sqrt(y + 2)
  ones = y / y
  column = matmul(roots, ones)
  print *, column(1) - 2 * sqrt(y) !~ precision-loss: 4..24 bits lost
end program
