! nonius: opt=O0
! A long sum of singles, which flang's runtime compensates as Kahan does: what a plain loop would lose is not lost.
program long_sum
  implicit none
  real(4), allocatable :: tenths(:)
  real(4) :: total
  allocate (tenths(2000000))
  tenths = 0.1e0
  total = sum(tenths)
  print *, total, dot_product(tenths, tenths)
end program
